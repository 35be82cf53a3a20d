import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// A program's writers, which enqueue from four tasks at once until the process is killed.
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
        var hasFailed = false
        while !Task.isCancelled {
            let id = "\(run)-\(writer)-\(number)"
            do { try await session.outbox.enqueue(Number(id: id), lane: "numbers") } catch {
                // The id of an item that was not stored is not printed, so the test does not expect it on the server.
                if !hasFailed { FileHandle.standardError.write(Data("\(id): \(error)\n".utf8)) }
                hasFailed = true
                continue
            }
            FileHandle.standardOutput.write(Data("\(id)\n".utf8))
            number += 1
        }
    }
}
