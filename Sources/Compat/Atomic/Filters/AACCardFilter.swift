public import Foundation
@_spi(Inlay) package import InlayCards

/// A filter value combined with an operator; created by `AACCardListFilter`.
public final class AACCardFilter: NSObject {
    let filter: CardFilter

    init(_ filter: CardFilter) { self.filter = filter }
}

extension AACCardFilter {
    /// Returns the filters as InlayCards' type; `nil` and an empty list both mean no filters.
    package static func engine(_ filters: [AACCardFilter]?) -> [CardFilter] { (filters ?? []).map(\.filter) }
}
