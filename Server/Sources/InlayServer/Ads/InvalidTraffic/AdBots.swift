/// The user agents of programs that no person looks at.
///
/// A short list of our own, by the words that crawlers, monitors and HTTP tools write into their user agents. It finds
/// those who say what they are. The list of IABs and ABC International is licensed; who has it adds its patterns with
/// the setting `adsBotAgents`.
struct AdBots: Sendable {
    /// Words that crawlers and monitors put into their names.
    private static let crawlers = [
        "crawler", "spider", "crawling", "scraper", "slurp", "archiver", "mediapartners-google",
        "feedfetcher",
        "google-inspectiontool", "google-read-aloud", "googleother", "facebookexternalhit", "facebookcatalog",
        "meta-externalagent", "embedly", "bitlybot", "pingdom", "statuscake", "gtmetrix", "site24x7",
        "chrome-lighthouse", "bingpreview", "yandexmetrika", "skypeuripreview", "ptst/", "anthropic-ai",
    ]
    /// Tools and browsers without a screen. An app sends none of them as its device's user agent.
    private static let tools = [
        "headlesschrome", "phantomjs", "slimerjs", "puppeteer", "playwright", "selenium", "webdriver",
        "curl/",
        "wget/", "python-requests", "python-urllib", "aiohttp/", "httpx/", "scrapy", "go-http-client",
        "apache-httpclient", "libwww-perl", "httpie/", "postmanruntime", "node-fetch", "axios/", "java/",
    ]
    /// Telephones whose makers have `bot` at the end of their names.
    private static let exceptions = ["cubot"]

    private let own: [String]

    /// The list with patterns of one's own: parts of user agents, in any case.
    init(adding own: [String] = []) { self.own = own.map { $0.lowercased() }.filter { !$0.isEmpty } }

    /// Whether the user agent of a device, as a request names it, is a program's.
    func matches(device agent: String) -> Bool {
        let agent = agent.lowercased()
        return isCrawler(agent) || Self.tools.contains { agent.containsBytes(of: $0) }
    }

    /// Whether the program that calls says that it is a crawler. Tools are no reason here: an app's own server may
    /// pass its requests on.
    func matches(caller agent: String) -> Bool { isCrawler(agent.lowercased()) }

    private func isCrawler(_ agent: String) -> Bool {
        Self.namesBot(agent) || Self.crawlers.contains { agent.containsBytes(of: $0) }
            || own.contains { agent.containsBytes(of: $0) }
    }

    /// Whether a word ends with `bot`, as in `Googlebot/2.1` or `AdsBot-Google`.
    private static func namesBot(_ agent: String) -> Bool {
        let words = agent.split { !$0.isLetter }
        return words.contains { $0.hasSuffix("bot") && !exceptions.contains(String($0)) }
            || words.contains("bots") || words.contains("robots")
    }
}
