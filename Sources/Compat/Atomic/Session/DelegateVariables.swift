internal import Foundation
internal import InlayCards

/// Lets a runtime variable delegate resolve for the engine.
enum DelegateVariables {
    static func make(
        _ delegate: (any AACRuntimeVariableDelegate)?, limit: TimeInterval, sendsAnalytics: Bool
    ) -> RuntimeVariables? {
        guard let delegate else { return nil }
        return RuntimeVariables(limit: .seconds(notBelowZero: limit), sendsAnalytics: sendsAnalytics) {
            // The engine never keeps the app's delegate alive.
            [weak delegate] cards in
            guard let delegate else { return [] }
            // A stream and no continuation: the app may never answer, and may answer twice.
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
