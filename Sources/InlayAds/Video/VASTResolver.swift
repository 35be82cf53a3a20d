package import InlayCore
@_spi(Inlay) package import InlayWire
import Foundation

/// A resolver that finds the ads of a VAST document, behind as many wrappers as its rules allow.
///
/// It never throws: unusable ads are returned as failures beside the playable ads. The rules limit the whole time, on
/// the session's clock.
package struct VASTResolver: Sendable {
    /// The limits on following wrappers.
    package struct Rules: Hashable, Sendable {
        /// The maximum number of wrappers in front of one ad; default 5.
        package var maximumWrappers: Int
        /// The maximum number of redirects of one request; default 5.
        package var maximumRedirects: Int
        /// The maximum time for one document, including its redirects; default 3 s.
        package var documentTimeout: Duration
        /// The maximum time for all documents together; default 8 s.
        package var totalTimeout: Duration
        /// The maximum number of requested documents, which also ends nested pods of wrappers; default 20.
        package var maximumDocuments: Int
        /// The limits on reading documents.
        package var limits: VASTLimits

        /// Creates rules; the defaults are for documents of unknown servers.
        package init(
            maximumWrappers: Int = 5, maximumRedirects: Int = 5, documentTimeout: Duration = .seconds(3),
            totalTimeout: Duration = .seconds(8), maximumDocuments: Int = 20,
            limits: VASTLimits = VASTLimits()
        ) {
            self.maximumWrappers = maximumWrappers
            self.maximumRedirects = maximumRedirects
            self.documentTimeout = documentTimeout
            self.totalTimeout = totalTimeout
            self.maximumDocuments = maximumDocuments
            self.limits = limits
        }
    }

    let transport: any Transport
    let clock: any SessionClock
    let rules: Rules
    private let userAgent: String?
    private let random: @Sendable () -> UInt32

    /// Creates a resolver. Its transport must not send tokens or keep cookies.
    package init(
        transport: any Transport, clock: any SessionClock, rules: Rules = Rules(), userAgent: String? = nil,
        random: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        self.transport = transport
        self.clock = clock
        self.rules = rules
        self.userAgent = userAgent
        self.random = random
    }

    /// Returns the ads of a document in a text.
    ///
    /// - Parameter isEnough: whether no ad after this one is wanted. Wrappers of unwanted ads are not requested, and no
    ///   error is sent to their ad servers. By default all ads of a pod are wanted.
    package func resolve(
        _ markup: String, until isEnough: @escaping @Sendable (VASTPlayable) -> Bool = { _ in false }
    ) async -> VASTResolution {
        do {
            return await resolve(
                try VASTDocument(reading: markup, limits: rules.limits), until: isEnough)
        } catch {
            return VASTResolution(
                failures: [VASTFailure(code: error.code, detail: error.detail, errors: [])])
        }
    }

    /// Returns the ads of a document that was already read.
    package func resolve(
        _ document: VASTDocument,
        until isEnough: @escaping @Sendable (VASTPlayable) -> Bool = { _ in false }
    ) async -> VASTResolution {
        var resolution = VASTResolutionState(
            deadline: clock.now() + rules.totalTimeout, macros: macros, until: isEnough)
        let ads = await choose(from: document, behind: VASTChain(), &resolution)
        if ads.isEmpty, document.ads.isEmpty, document.refused.isEmpty {
            resolution.fail(.noAdBehindWrapper, "the document has no ad", document.errors)
        }
        return VASTResolution(
            ads: ads, failures: resolution.failures, upgrades: resolution.upgrades,
            upgradeCount: resolution.upgradeCount)
    }

    private var macros: VASTMacros { VASTMacros(now: clock.now(), random: random()) }

    /// Returns the ads of a pod in their sequence, or without a pod the first ad that can be played. A stand-alone ad
    /// replaces an ad of the pod that cannot be played. An unusable ad is a failure only when it would have been next.
    private func choose(
        from document: VASTDocument, behind chain: VASTChain, _ resolution: inout VASTResolutionState
    ) async -> [VASTPlayable] {
        resolution.read(document)
        let entries = document.entries
        let inPod = entries.enumerated().filter { $0.element.sequence != nil }
            .sorted { ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset) }
            .map(\.element)
        var spares = entries.filter { $0.sequence == nil }[...]
        guard chain.allowsPods, !document.pod.isEmpty else {
            if document.standAlone.isEmpty { spares += inPod }
            return await first(of: &spares, behind: chain, &resolution)
        }
        var playable: [VASTPlayable] = []
        for entry in inPod where !resolution.isComplete {
            let found = await follow(entry, behind: chain, &resolution)
            playable += found.isEmpty ? await first(of: &spares, behind: chain, &resolution) : found
        }
        return playable
    }

    private func first(
        of entries: inout ArraySlice<VASTEntry>, behind chain: VASTChain,
        _ resolution: inout VASTResolutionState
    ) async -> [VASTPlayable] {
        while let entry = entries.popFirst() {
            let found = await follow(entry, behind: chain, &resolution)
            if !found.isEmpty { return found }
            // Behind a wrapper without an ad, the next ad is tried only when the wrapper allows a fallback.
            if case .ad(let ad) = entry, let wrapper = ad.wrapper, !wrapper.fallsBack { return [] }
        }
        return []
    }

    private func follow(
        _ entry: VASTEntry, behind chain: VASTChain, _ resolution: inout VASTResolutionState
    ) async -> [VASTPlayable] {
        switch entry {
        case .ad(let ad): return await follow(ad, behind: chain, &resolution)
        case .refused(let refusal):
            resolution.fail(refusal.code, refusal.detail, chain.errors + refusal.errors)
            return []
        }
    }

    private func follow(
        _ ad: VASTAd, behind chain: VASTChain, _ resolution: inout VASTResolutionState
    ) async -> [VASTPlayable] {
        let errors = chain.errors + ad.errors
        guard let wrapper = ad.wrapper else { return play(ad, behind: chain, &resolution) }
        guard chain.followsWrappers, chain.wrappers.count < rules.maximumWrappers else {
            resolution.fail(.wrapperLimit, "more wrappers than are followed", errors)
            return []
        }
        guard !chain.visited.contains(wrapper.address) else {
            resolution.fail(.wrapperLimit, "the wrappers go round in a circle", errors)
            return []
        }
        guard resolution.documents < rules.maximumDocuments else {
            resolution.fail(.wrapperLimit, "more documents than are asked for", errors)
            return []
        }
        resolution.documents += 1
        switch await document(at: wrapper.address, chain.visited, resolution) {
        case .failure(let error):
            resolution.fail(error.code, error.detail, errors)
            return []
        case .success(let (document, visited)):
            guard !document.ads.isEmpty || !document.refused.isEmpty else {
                resolution.fail(.noAdBehindWrapper, "nothing behind a wrapper", errors + document.errors)
                return []
            }
            return await choose(from: document, behind: chain.with(ad, wrapper, visited), &resolution)
        }
    }

    private func play(_ ad: VASTAd, behind chain: VASTChain, _ resolution: inout VASTResolutionState)
        -> [VASTPlayable]
    {
        let blocked = chain.wrappers.compactMap(\.wrapper).flatMap(\.blockedCategories)
        if ad.categories.contains(where: { category in
            blocked.contains { $0.code == category.code || category.code.hasPrefix($0.code + "-") }
        }) {
            resolution.fail(.categoryBlocked, "a category that a wrapper blocks", chain.errors + ad.errors)
            return []
        }
        guard let playable = VASTPlayable(ad, behind: chain.wrappers) else {
            resolution.fail(.unexpectedLinearity, "an ad without a video", chain.errors + ad.errors)
            return []
        }
        resolution.found(playable)
        return [playable]
    }
}

// MARK: Documents behind addresses

extension VASTResolver {
    private typealias Found = (document: VASTDocument, visited: Set<String>)

    private func document(
        at address: String, _ visited: Set<String>, _ resolution: VASTResolutionState
    ) async -> Result<Found, VASTError> {
        var visited = visited
        var address = address
        let deadline = min(resolution.deadline, clock.now() + rules.documentTimeout)
        for _ in 0...rules.maximumRedirects {
            guard visited.insert(address).inserted else {
                return .failure(VASTError(.wrapperLimit, "the wrappers go round in a circle"))
            }
            let filled = resolution.macros.filled(address)
            guard let url = WebAddress.secureURL(filled, cleartextHosts: rules.limits.cleartextHosts) else {
                return .failure(VASTError(.wrapper, "an address without https"))
            }
            switch await answer(from: url, until: deadline) {
            case .failure(let error): return .failure(error)
            case .success(let response):
                guard let next = redirect(response, from: url) else {
                    return read(response, from: url).map { ($0, visited) }
                }
                address = next
            }
        }
        return .failure(VASTError(.wrapper, "more redirects than are followed"))
    }

    private func read(_ response: TransportResponse, from url: URL) -> Result<VASTDocument, VASTError> {
        // Some ad servers answer 204 when they have no ad.
        if response.status == 204 { return .success(VASTDocument()) }
        guard response.status == 200 else {
            return .failure(VASTError(.wrapperTimeout, "status \(response.status) behind a wrapper"))
        }
        return Result { () throws(VASTError) in
            try VASTDocument(reading: response.body, from: url, limits: rules.limits)
        }
    }

    /// Returns the target of a redirect, which is empty when it is no allowed address; `nil` for any other response.
    private func redirect(_ response: TransportResponse, from url: URL) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        let limits = rules.limits
        let target = try? WebAddress(
            response.headers["location"] ?? "", relativeTo: WebAddress(url),
            cleartextHosts: limits.cleartextHosts,
            maximumBytes: limits.addressBytes)
        return target.flatMap { try? limits.secured($0).text } ?? ""
    }

    private func answer(from url: URL, until end: Timestamp) async -> Result<TransportResponse, VASTError> {
        let left = end - clock.now()
        guard left > .zero else { return .failure(VASTError(.wrapperTimeout, "no time is left")) }
        var request = TransportRequest(
            url: url, headers: ["Accept": "application/xml, text/xml;q=0.9, */*;q=0.1"], timeout: left,
            maximumResponseBytes: rules.limits.bytes)
        request.headers["User-Agent"] = userAgent
        // The session's clock enforces the limit even when the transport ignores its timeout.
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
