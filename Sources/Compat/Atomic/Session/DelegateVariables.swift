internal import Foundation
internal import InlayCards

/// The conversion of Atomic's runtime variable delegate into InlayCards' `RuntimeVariables`.
enum DelegateVariables {
    static func make(
        _ delegate: (any AACRuntimeVariableDelegate)?, limit: TimeInterval, sendsAnalytics: Bool
    ) -> RuntimeVariables? {
        guard let delegate else { return nil }
        return RuntimeVariables(limit: .seconds(notBelowZero: limit), sendsAnalytics: sendsAnalytics) {
            // Weak, because InlayCards must not retain the app's delegate.
            [weak delegate] cards in
            guard let delegate else { return [] }
            // A stream instead of a continuation, because the app may never call the handler, or call it twice.
            let (answers, answer) = AsyncStream.makeStream(
                of: [Card].self, bufferingPolicy: .bufferingOldest(1))
            await MainActor.run {
                delegate.cardSessionDidRequestRuntimeVariables(cards.map(AACCardInstance.init)) {
                    answer.yield($0.map(\.card))
                }
            }
            for await resolved in answers { return resolved }
            return []
        }
    }
}
