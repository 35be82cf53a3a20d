package import Foundation

/// The token for an app that has none of its own. It identifies the installation and no person.
package enum InstallationToken {
    /// Returns an unsigned token. Its subject is made once and stored in the folder.
    ///
    /// The SDK needs a subject to separate the files of users. A server accepts this token only where the environment
    /// admits users without proof.
    package static func make(in folder: URL) -> String {
        let stored = (try? Data(contentsOf: file(in: folder))).map { String(decoding: $0, as: UTF8.self) }
        let subject = stored ?? UUID().uuidString.lowercased()
        subjects.withLock { $0[file(in: folder).path] = subject }
        if stored == nil { restore(in: folder) }
        return [#"{"alg":"none","typ":"JWT"}"#, #"{"sub":"\#(subject)"}"#]
            .map { Data($0.utf8).base64URL + "." }.joined()
    }

    /// Stores the subject that this process uses in the folder again if its file is gone.
    static func restore(in folder: URL) {
        let file = file(in: folder)
        guard let subject = subjects.withLock({ $0[file.path] }),
            !FileManager.default.fileExists(atPath: file.path)
        else { return }
        try? StoreFile.makeFolder(folder)
        try? Data(subject.utf8).write(to: file, options: .atomic)
    }

    /// The subjects in use, by the path of their file.
    private static let subjects = Locked<[String: String]>([:])

    private static func file(in folder: URL) -> URL { folder.appendingPathComponent("installation") }
}
