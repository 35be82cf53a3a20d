internal import Foundation

/// A token for apps that never had one: names this installation and no person.
enum ZBiMToken {
    /// An unsigned token whose subject is made once and kept.
    ///
    /// The device needs it to keep its own things apart; a server takes it only where the environment
    /// accepts readers without proof. Others set a provider.
    static func anonymous(in folder: URL) -> String {
        let place = folder.appendingPathComponent("installation")
        let kept = (try? Data(contentsOf: place)).map { String(decoding: $0, as: UTF8.self) }
        let subject = kept ?? UUID().uuidString.lowercased()
        if kept == nil { try? Data(subject.utf8).write(to: place, options: .atomic) }
        return [#"{"alg":"none","typ":"JWT"}"#, #"{"sub":"\#(subject)"}"#].map(base64URL).joined(
            separator: ".") + "."
    }

    private static func base64URL(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
