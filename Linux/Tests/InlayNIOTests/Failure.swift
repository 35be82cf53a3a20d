@_spi(Inlay) import InlayCore
import Testing

/// Returns the transport error that `body` throws, or `nil` when it succeeds; records any other error as an issue.
func failure<Answer>(
    location: SourceLocation = #_sourceLocation, _ body: () async throws -> Answer
) async -> TransportError? {
    do {
        _ = try await body()
        return nil
    } catch let error as TransportError {
        return error
    } catch {
        Issue.record(error, sourceLocation: location)
        return nil
    }
}

extension TransportError {
    var isCut: Bool { if case .cut = self { true } else { false } }
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
    var isUntrusted: Bool { if case .untrusted = self { true } else { false } }
    var isUnsupported: Bool { if case .unsupported = self { true } else { false } }
}
