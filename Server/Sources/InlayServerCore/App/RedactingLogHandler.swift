package import Logging

/// A log handler that removes known secrets from lines before another handler prints them.
struct RedactingLogHandler: LogHandler {
    private var handler: any LogHandler
    private let secrets: SecretRedactor

    init(_ handler: any LogHandler, without secrets: SecretRedactor) {
        (self.handler, self.secrets) = (handler, secrets)
    }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues(redacted) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map(redacted) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(secrets.removed(from: event.message.description))"
        event.metadata = event.metadata?.mapValues(redacted)
        event.error = event.error.map { secrets.removed(from: $0) }
        handler.log(event: event)
    }

    /// Returns the value as it is, or as a redacted text when a secret is in it.
    private func redacted(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        let text = "\(value)", shown = secrets.removed(from: text)
        return shown == text ? value : .string(shown)
    }
}

extension Logger {
    /// Returns a logger that prints none of these secrets, whichever code wrote a line.
    package func without(_ secrets: SecretRedactor) -> Logger {
        if secrets.isEmpty || handler is RedactingLogHandler { return self }
        var logger = self
        logger.handler = RedactingLogHandler(handler, without: secrets)
        return logger
    }
}

extension SecretRedactor {
    /// Returns the error as it is, or one with only its redacted text when a secret is in it.
    package func removed(from error: any Error) -> any Error {
        let text = "\(error)", shown = removed(from: text)
        return shown == text ? error : ErrorWithoutSecrets(description: shown)
    }
}

/// The text of another error.
private struct ErrorWithoutSecrets: Error, CustomStringConvertible {
    let description: String
}
