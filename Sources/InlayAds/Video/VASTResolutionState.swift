@_spi(Inlay) import InlayWire

/// The state of one resolution.
struct VASTResolutionState {
    let deadline: Timestamp
    let macros: VASTMacros
    /// Whether no ad after this one is wanted.
    let isEnough: @Sendable (VASTPlayable) -> Bool
    /// Whether the last wanted ad was found; later ads are not followed, and no error is sent for them.
    private(set) var isComplete = false
    /// The number of requested documents.
    var documents = 0
    private(set) var failures: [VASTFailure] = []
    private(set) var upgrades: [VASTUpgrade] = []
    private(set) var upgradeCount = 0

    init(
        deadline: Timestamp, macros: VASTMacros, until isEnough: @escaping @Sendable (VASTPlayable) -> Bool
    ) {
        self.deadline = deadline
        self.macros = macros
        self.isEnough = isEnough
    }

    mutating func found(_ ad: VASTPlayable) { isComplete = isComplete || isEnough(ad) }

    mutating func read(_ document: VASTDocument) {
        upgrades += document.upgrades
        upgradeCount += document.upgradeCount
    }

    mutating func fail(_ code: VASTErrorCode, _ detail: String, _ errors: [String]) {
        failures.append(VASTFailure(code: code, detail: detail, errors: errors))
    }
}

/// The wrappers that lead to a document.
struct VASTChain {
    /// The wrappers, the outermost first.
    private(set) var wrappers: [VASTAd] = []
    /// The requested addresses, including redirects.
    private(set) var visited: Set<String> = []
    /// Whether all wrappers allow another wrapper behind them.
    private(set) var followsWrappers = true
    /// Whether the last wrapper allows a pod in the next document.
    private(set) var allowsPods = true

    /// The addresses for an error that happens at the end of the wrappers.
    var errors: [String] { wrappers.flatMap(\.errors) }

    func with(_ ad: VASTAd, _ wrapper: VASTWrapper, _ visited: Set<String>) -> Self {
        var chain = self
        chain.wrappers.append(ad)
        chain.visited = visited
        chain.followsWrappers = followsWrappers && wrapper.followsWrappers
        chain.allowsPods = wrapper.allowsPods
        return chain
    }
}
