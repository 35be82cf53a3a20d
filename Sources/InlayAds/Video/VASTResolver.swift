public import InlayCore
public import InlayWire
import Foundation

/// Finds the ads of a VAST document, behind as many wrappers as are allowed.
///
/// Never throws: what cannot be used is told as failures, and whatever can be played is. All of it together takes no
/// longer than the rules say, on the session's clock.
public struct VASTResolver: Sendable {
    /// How far wrappers are followed.
    public struct Rules: Hashable, Sendable {
        /// The wrappers in front of one ad; default 5.
        public var wrappers: Int
        /// The redirects of one request; default 5.
        public var redirects: Int
        /// The time for one document; default 3 s.
        public var hop: Duration
        /// The time for everything; default 8 s.
        public var total: Duration
        /// The documents that are asked for in all, so that pods of wrappers of pods come to an end; default 20.
        public var documents: Int
        /// How documents are read.
        public var limits: VASTLimits

        /// The rules for what comes from anywhere.
        public init(
            wrappers: Int = 5, redirects: Int = 5, hop: Duration = .seconds(3),
            total: Duration = .seconds(8), documents: Int = 20, limits: VASTLimits = VASTLimits()
        ) {
            self.wrappers = wrappers
            self.redirects = redirects
            self.hop = hop
            self.total = total
            self.documents = documents
            self.limits = limits
        }
    }

    let transport: any Transport
    let clock: any SessionClock
    let rules: Rules
    private let userAgent: String?
    private let random: @Sendable () -> UInt32

    /// A resolver. The transport carries no token and keeps no cookies; behind a gate, the gate is asked.
    public init(
        transport: any Transport, clock: any SessionClock, rules: Rules = Rules(), userAgent: String? = nil,
        random: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        self.transport = transport
        self.clock = clock
        self.rules = rules
        self.userAgent = userAgent
        self.random = random
    }

    /// The ads of a document that came as markup.
    public func resolve(_ markup: String) async -> VASTResolution {
        do {
            return await resolve(try VASTDocument(reading: markup, limits: rules.limits))
        } catch {
            return VASTResolution(
                failures: [VASTFailure(code: error.code, detail: error.detail, errors: [])])
        }
    }

    /// The ads of a document.
    public func resolve(_ document: VASTDocument) async -> VASTResolution {
        var walk = VASTWalk(deadline: clock.now() + rules.total, macros: macros)
        let ads = await choose(from: document, behind: VASTChain(), &walk)
        if ads.isEmpty, document.ads.isEmpty, document.refused.isEmpty {
            walk.fail(.noAdBehindWrapper, "the document has no ad", document.errors)
        }
        return VASTResolution(ads: ads, failures: walk.failures)
    }

    private var macros: VASTMacros { VASTMacros(now: clock.now(), random: random()) }

    /// A pod in its sequence, else the first ad that can be played. An ad of a pod that cannot makes room for one that
    /// stands alone.
    private func choose(
        from document: VASTDocument, behind chain: VASTChain, _ walk: inout VASTWalk
    ) async -> [VASTPlayable] {
        for refusal in document.refused {
            walk.fail(refusal.code, refusal.detail, chain.errors + refusal.errors)
        }
        var spares = document.standAlone[...]
        let pod = chain.allowsPods ? document.pod : []
        guard !pod.isEmpty else {
            if document.standAlone.isEmpty { spares = document.pod[...] }
            return await first(of: &spares, behind: chain, &walk)
        }
        var playable: [VASTPlayable] = []
        for ad in pod {
            let found = await follow(ad, behind: chain, &walk)
            playable += found.isEmpty ? await first(of: &spares, behind: chain, &walk) : found
        }
        return playable
    }

    private func first(
        of ads: inout ArraySlice<VASTAd>, behind chain: VASTChain, _ walk: inout VASTWalk
    ) async -> [VASTPlayable] {
        while let ad = ads.popFirst() {
            let found = await follow(ad, behind: chain, &walk)
            if !found.isEmpty { return found }
            // A wrapper without an ad behind it holds its place, unless it says otherwise.
            if let wrapper = ad.wrapper, !wrapper.fallsBack { return [] }
        }
        return []
    }

    private func follow(
        _ ad: VASTAd, behind chain: VASTChain, _ walk: inout VASTWalk
    ) async -> [VASTPlayable] {
        let errors = chain.errors + ad.errors
        guard let wrapper = ad.wrapper else { return play(ad, behind: chain, &walk) }
        guard chain.followsWrappers, chain.wrappers.count < rules.wrappers else {
            walk.fail(.wrapperLimit, "more wrappers than are followed", errors)
            return []
        }
        guard !chain.visited.contains(wrapper.address) else {
            walk.fail(.wrapperLimit, "the wrappers go round in a circle", errors)
            return []
        }
        guard walk.documents < rules.documents else {
            walk.fail(.wrapperLimit, "more documents than are asked for", errors)
            return []
        }
        walk.documents += 1
        switch await document(at: wrapper.address, chain.visited, walk) {
        case .failure(let error):
            walk.fail(error.code, error.detail, errors)
            return []
        case .success(let (document, visited)):
            guard !document.ads.isEmpty || !document.refused.isEmpty else {
                walk.fail(.noAdBehindWrapper, "nothing behind a wrapper", errors + document.errors)
                return []
            }
            return await choose(from: document, behind: chain.with(ad, wrapper, visited), &walk)
        }
    }

    private func play(_ ad: VASTAd, behind chain: VASTChain, _ walk: inout VASTWalk) -> [VASTPlayable] {
        let blocked = chain.wrappers.compactMap(\.wrapper).flatMap(\.blockedCategories)
        if ad.categories.contains(where: { category in
            blocked.contains { $0.code == category.code || category.code.hasPrefix($0.code + "-") }
        }) {
            walk.fail(.categoryBlocked, "a category that a wrapper blocks", chain.errors + ad.errors)
            return []
        }
        guard let playable = VASTPlayable(ad, behind: chain.wrappers) else {
            walk.fail(.unexpectedLinearity, "an ad without a video", chain.errors + ad.errors)
            return []
        }
        return [playable]
    }
}

// MARK: Documents behind addresses

extension VASTResolver {
    private typealias Found = (document: VASTDocument, visited: Set<String>)

    private func document(
        at address: String, _ visited: Set<String>, _ walk: VASTWalk
    ) async -> Result<Found, VASTError> {
        var visited = visited
        var address = address
        let hopEnd = min(walk.deadline, clock.now() + rules.hop)
        for _ in 0...rules.redirects {
            guard visited.insert(address).inserted else {
                return .failure(VASTError(.wrapperLimit, "the wrappers go round in a circle"))
            }
            guard let url = walk.macros.url(address), rules.limits.admits(url.absoluteString) else {
                return .failure(VASTError(.wrapper, "an address without https"))
            }
            switch await answer(from: url, until: hopEnd) {
            case .failure(let error): return .failure(error)
            case .success(let response):
                guard let next = Self.redirect(response, from: url) else {
                    return read(response).map { ($0, visited) }
                }
                address = next
            }
        }
        return .failure(VASTError(.wrapper, "more redirects than are followed"))
    }

    private func read(_ response: TransportResponse) -> Result<VASTDocument, VASTError> {
        // No content is how some ad servers say that they have no ad.
        if response.status == 204 { return .success(VASTDocument()) }
        guard response.status == 200 else {
            return .failure(VASTError(.wrapperTimeout, "status \(response.status) behind a wrapper"))
        }
        return Result { () throws(VASTError) in
            try VASTDocument(reading: response.body, limits: rules.limits)
        }
    }

    /// Where an answer leads on to; `nil` when it is no redirect.
    private static func redirect(_ response: TransportResponse, from url: URL) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        return response.headers["location"].flatMap { URL(string: $0, relativeTo: url)?.absoluteString } ?? ""
    }

    private func answer(from url: URL, until end: Timestamp) async -> Result<TransportResponse, VASTError> {
        let left = end - clock.now()
        guard left > .zero else { return .failure(VASTError(.wrapperTimeout, "no time is left")) }
        var request = TransportRequest(
            url: url, headers: ["Accept": "application/xml, text/xml;q=0.9, */*;q=0.1"], timeout: left,
            maximumResponseBytes: rules.limits.bytes)
        request.headers["User-Agent"] = userAgent
        // The session's clock decides, whatever the transport makes of its own timeout.
        let answer = await clock.within(left) { [request] () -> Result<TransportResponse, VASTError> in
            do throws(TransportError) {
                return .success(try await transport.send(request))
            } catch .tooLarge {
                return .failure(VASTError(.unreadable, "the document is too large"))
            } catch {
                return .failure(VASTError(.wrapperTimeout, "no answer behind a wrapper"))
            }
        }
        return answer ?? .failure(VASTError(.wrapperTimeout, "no answer in time behind a wrapper"))
    }
}
