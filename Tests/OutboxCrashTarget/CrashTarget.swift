import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// Enqueues without end, from several tasks at once.
struct CrashTarget: Sendable {
    struct Number: Codable, Identifiable, Sendable {
        var id: String
    }

    let session: InlaySession
    let run: String

    func enqueueUntilKilled() async {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 { group.addTask { await write(writer) } }
        }
    }

    private func write(_ writer: Int) async {
        var number = 0
        while !Task.isCancelled {
            let id = "\(run)-\(writer)-\(number)"
            // A name that was not stored is not printed, so no test expects it.
            guard (try? await session.outbox.enqueue(Number(id: id), lane: "numbers")) != nil else {
                continue
            }
            FileHandle.standardOutput.write(Data("\(id)\n".utf8))
            number += 1
        }
    }
}
