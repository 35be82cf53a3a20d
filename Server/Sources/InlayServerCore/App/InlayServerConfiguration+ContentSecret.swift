import Foundation
import InlaySQL

extension InlayServerConfiguration {
    /// The path of the content secret.
    package var contentSecretPath: String {
        if let contentSecretFile { return contentSecretFile }
        guard let path = SQLitePath.path(of: database.value) else { return ".inlay/content.secret" }
        return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("content.secret")
            .path
    }
}
