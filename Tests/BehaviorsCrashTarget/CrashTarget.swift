import Foundation
import InlayBehaviors

/// The work of the killed process: it tracks events in four tasks and posts them in another one.
struct CrashTarget: Sendable {
    let behaviors: Behaviors
    let run: String

    func trackUntilKilled() async throws {
        try await behaviors.appBecameActive()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 { group.addTask { await write(writer) } }
            group.addTask {
                while !Task.isCancelled { await behaviors.postEventCache() }
            }
        }
    }

    private func write(_ writer: Int) async {
        var number = 0
        while !Task.isCancelled {
            let name = "\(run)-\(writer)-\(number)"
            // A name that was not stored is not printed, so no test expects it.
            guard (try? await behaviors.track(.named(name, attributes: ["writer": 1]))) != nil else {
                continue
            }
            FileHandle.standardOutput.write(Data("\(name)\n".utf8))
            number += 1
        }
    }
}
