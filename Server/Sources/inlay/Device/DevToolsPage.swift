import Foundation
import InlayCore
import InlayNIO
import InlayWire

/// One page, or frame with a process of its own, over the debugging protocol.
///
/// The reader runs in a world of its own inside the page: it shares the page's pixels and none of its script.
struct DevToolsPage {
    /// Where a page is.
    struct Target: Sendable {
        let address: String
        let socket: URL
    }

    let address: String
    private let world: String
    private let socket: any TransportSocket
    private var messages: AsyncThrowingStream<String, any Error>.Iterator
    private var lastID: Int64 = 0
    /// What the reader told while an answer was waited for.
    private var waiting: [String] = []
    /// Where the reader runs; gone when its page or frame is left.
    private var reading: JSONValue?

    init(_ target: Target, world: String, _ transport: NIOTransport) async throws {
        (address, self.world) = (target.address, world)
        socket = try await transport.openSocket(TransportRequest(url: target.socket, timeout: .seconds(5)))
        messages = socket.messages.makeAsyncIterator()
    }

    func close() async { await socket.close() }

    /// Looks for a square in the page and its frames; starts to read it when there is one.
    mutating func findPatch() async throws -> Bool {
        _ = try await call("Runtime.enable")
        _ = try await call("Page.enable")
        _ = try await call(
            "Runtime.addBinding", ["name": "inlayEye", "executionContextName": .string(world)])
        let tree = try await call("Page.getFrameTree")
        for frame in Self.frames(tree["frameTree"]) {
            // A frame may be gone by now, as an ad's is that is replaced.
            if let context = try? await read(frame) {
                reading = context
                return true
            }
        }
        return false
    }

    /// Starts to read a frame's square; `nil` when it has none.
    private mutating func read(_ frame: String) async throws -> JSONValue? {
        let made = try await call(
            "Page.createIsolatedWorld", ["frameId": .string(frame), "worldName": .string(world)])
        guard let context = made["executionContextId"] else { return nil }
        let found = try await call(
            "Runtime.evaluate",
            ["expression": .string(Self.reader), "contextId": context, "returnByValue": true])
        return found["result"]?["value"] == true ? context : nil
    }

    /// The next samples, about ten times a second.
    mutating func samples() async throws -> [PatchSample] {
        while waiting.isEmpty { _ = try await next() }
        let text = waiting.removeFirst()
        let numbers = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
        return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
            PatchSample(millis: numbers[index], light: Self.light(gray: numbers[index + 1]))
        }
    }

    /// The light of a grey value: the transfer curve of sRGB.
    private static func light(gray: Double) -> Double {
        let part = min(max(gray / 255, 0), 1)
        return part <= 0.040_45 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }

    private static func frames(_ tree: JSONValue?) -> [String] {
        var all = tree?["frame"]?["id"]?.string.map { [$0] } ?? []
        if case .array(let children)? = tree?["childFrames"] {
            for child in children { all += frames(child) }
        }
        return all
    }

    /// Reads the middle of the square in each presented frame, if nothing covers it there.
    private static let reader = """
        (() => {
          const find = () => document.querySelector('canvas[data-light-patch]');
          if (!find()) return false;
          if (globalThis.inlayEyeOpen) return true;
          globalThis.inlayEyeOpen = true;
          let told = [];
          const gray = () => {
            const canvas = find();
            if (!canvas || document.hidden) return 0;
            const box = canvas.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            if (top !== canvas) return 0;
            const pixel = canvas.getContext('2d').getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data;
            return 0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2];
          };
          const look = now => {
            requestAnimationFrame(look);
            told.push(now, gray());
            if (told.length >= 12) { inlayEye(JSON.stringify(told)); told = []; }
          };
          requestAnimationFrame(look);
          return true;
        })()
        """

    // MARK: Messages

    private mutating func call(
        _ method: String, _ parameters: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        lastID += 1
        let message: JSONValue = .object([
            "id": .integer(lastID), "method": .string(method), "params": .object(parameters),
        ])
        try await socket.send(String(decoding: try JSONEncoder().encode(message), as: UTF8.self))
        while true {
            let answer = try await next()
            guard answer["id"] == .integer(lastID) else { continue }
            if let error = answer["error"]?["message"]?.string { throw DevToolsError(method, error) }
            return answer["result"] ?? .null
        }
    }

    private mutating func next() async throws -> JSONValue {
        guard let text = try await messages.next() else { throw DevToolsError("page", "it was closed") }
        let message = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        switch message["method"]?.string {
        case "Runtime.bindingCalled":
            // An earlier reader's world may still be there, and tells too.
            guard let reading, message["params"]?["executionContextId"] == reading else { break }
            waiting += message["params"]?["payload"]?.string.map { [$0] } ?? []
        case "Runtime.executionContextsCleared" where reading != nil: throw DevToolsError.left
        case "Runtime.executionContextDestroyed":
            if let reading, message["params"]?["executionContextId"] == reading { throw DevToolsError.left }
        default: break
        }
        return message
    }
}

/// The browser did not do what it was asked.
struct DevToolsError: Error, CustomStringConvertible {
    static let left = DevToolsError("page", "it was left")

    let description: String

    init(_ method: String, _ reason: String) { description = "\(method): \(reason)" }
}
