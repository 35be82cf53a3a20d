package import Foundation

/// The token of an app that has none. It names the installation and no person.
package enum InstallationToken {
    /// Returns an unsigned token. Its subject is made once and stored in the folder.
    ///
    /// The device needs it to separate the files of users. A server accepts it only where the environment admits
    /// users without proof.
    package static func make(in folder: URL) -> String {
        let file = folder.appendingPathComponent("installation")
        let stored = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        let subject = stored ?? UUID().uuidString.lowercased()
        if stored == nil { try? Data(subject.utf8).write(to: file, options: .atomic) }
        return [#"{"alg":"none","typ":"JWT"}"#, #"{"sub":"\#(subject)"}"#]
            .map { Data($0.utf8).base64URL + "." }.joined()
    }
}
