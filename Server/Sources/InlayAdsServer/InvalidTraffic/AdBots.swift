import InlayServerCore

/// A list of words by which the user agents of bots are recognized.
///
/// Crawlers, monitors and HTTP tools write these words into their user agents; a bot that hides its nature is not
/// found. The IAB/ABC International Spiders and Bots List is licensed and not included; an operator
/// who has it adds its patterns with the setting `adsBotAgents`.
struct AdBots: Sendable {
    /// Words that crawlers and monitors put into their names.
    private static let crawlers = [
        "crawler", "spider", "crawling", "scraper", "slurp", "archiver", "mediapartners-google",
        "feedfetcher",
        "google-inspectiontool", "google-read-aloud", "googleother", "facebookexternalhit", "facebookcatalog",
        "meta-externalagent", "embedly", "bitlybot", "pingdom", "statuscake", "gtmetrix", "site24x7",
        "chrome-lighthouse", "bingpreview", "yandexmetrika", "skypeuripreview", "ptst/", "anthropic-ai",
    ]
    /// HTTP tools and headless browsers. An app sends none of them as its device's user agent.
    private static let tools = [
        "headlesschrome", "phantomjs", "slimerjs", "puppeteer", "playwright", "selenium", "webdriver",
        "curl/",
        "wget/", "python-requests", "python-urllib", "aiohttp/", "httpx/", "scrapy", "go-http-client",
        "apache-httpclient", "libwww-perl", "httpie/", "postmanruntime", "node-fetch", "axios/", "java/",
    ]
    /// Makers of phones whose names end with `bot`.
    private static let exceptions = ["cubot"]

    private let additional: [String]

    /// The list with additional patterns: parts of user agents, case-insensitive.
    init(adding additional: [String] = []) {
        self.additional = additional.map { $0.lowercased() }.filter { !$0.isEmpty }
    }

    /// Whether the device's user agent in a request's body is that of a bot or a tool.
    func matches(device agent: String) -> Bool {
        let agent = agent.lowercased()
        return isCrawler(agent) || Self.tools.contains { agent.containsBytes(of: $0) }
    }

    /// Whether the `User-Agent` header of a request is that of a crawler. HTTP tools are allowed here: an
    /// app's own server may forward its requests.
    func matches(caller agent: String) -> Bool { isCrawler(agent.lowercased()) }

    private func isCrawler(_ agent: String) -> Bool {
        Self.namesBot(agent) || Self.crawlers.contains { agent.containsBytes(of: $0) }
            || additional.contains { agent.containsBytes(of: $0) }
    }

    /// Whether a word ends with `bot`, as in `Googlebot/2.1` or `AdsBot-Google`, or is `bots` or `robots`.
    private static func namesBot(_ agent: String) -> Bool {
        let words = agent.split { !$0.isLetter }
        return words.contains { $0.hasSuffix("bot") && !exceptions.contains(String($0)) }
            || words.contains("bots") || words.contains("robots")
    }
}
