import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A page, or a frame with a process of its own, over the debugging protocol.
///
/// The reader script runs in an isolated world: it can read the page's pixels and shares none of its variables.
struct DevToolsPage {
    /// The addresses of a page.
    struct Target: Sendable {
        let address: String
        let socket: URL
    }

    let address: String
    private let world: String
    private let socket: any TransportSocket
    private var messages: AsyncThrowingStream<String, any Error>.Iterator
    private var lastID: Int64 = 0
    /// The reader's messages that came while a call waited for its response.
    private var unread: [String] = []
    /// The id of the reader's execution context, which ends with its page or frame.
    private var reading: JSONValue?

    init(_ target: Target, world: String, _ transport: NIOTransport) async throws {
        (address, self.world) = (target.address, world)
        socket = try await transport.openSocket(TransportRequest(url: target.socket, timeout: .seconds(5)))
        messages = socket.messages.makeAsyncIterator()
    }

    func close() async { await socket.close() }

    /// Searches the page and its frames for a square and starts to read it; returns whether there is one.
    mutating func findPatch() async throws -> Bool {
        _ = try await call("Runtime.enable")
        _ = try await call("Page.enable")
        _ = try await call(
            "Runtime.addBinding", ["name": "inlayEye", "executionContextName": .string(world)])
        let tree = try await call("Page.getFrameTree")
        for frame in Self.frames(tree["frameTree"]) {
            // A frame may be removed meanwhile, as that of an ad that is replaced.
            if let context = try? await read(frame) {
                reading = context
                return true
            }
        }
        return false
    }

    /// Starts to read a frame's square and returns the execution context; `nil` when there is no square.
    private mutating func read(_ frame: String) async throws -> JSONValue? {
        let made = try await call(
            "Page.createIsolatedWorld", ["frameId": .string(frame), "worldName": .string(world)])
        guard let context = made["executionContextId"] else { return nil }
        let found = try await call(
            "Runtime.evaluate",
            ["expression": .string(Self.reader), "contextId": context, "returnByValue": true])
        return found["result"]?["value"] == true ? context : nil
    }

    /// Returns the next samples, about ten times a second.
    mutating func samples() async throws -> [PatchSample] {
        while unread.isEmpty { _ = try await next() }
        let text = unread.removeFirst()
        let numbers = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
        return stride(from: 0, to: numbers.count - 1, by: 2).map { index in
            PatchSample(millis: numbers[index], light: Self.light(gray: numbers[index + 1]))
        }
    }

    /// Converts a grey value to light by the transfer function of sRGB.
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

    /// A script that reads the middle of the square in each presented frame, unless something covers it.
    private static let reader = """
        (() => {
          const find = () => document.querySelector('canvas[data-light-patch]');
          if (!find()) return false;
          if (globalThis.inlayEyeOpen) return true;
          globalThis.inlayEyeOpen = true;
          let samples = [];
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
            samples.push(now, gray());
            if (samples.length >= 12) { inlayEye(JSON.stringify(samples)); samples = []; }
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
            // The world of an earlier reader may still exist and send messages.
            guard let reading, message["params"]?["executionContextId"] == reading else { break }
            unread += message["params"]?["payload"]?.string.map { [$0] } ?? []
        case "Runtime.executionContextsCleared" where reading != nil: throw DevToolsError.left
        case "Runtime.executionContextDestroyed":
            if let reading, message["params"]?["executionContextId"] == reading { throw DevToolsError.left }
        default: break
        }
        return message
    }
}

/// The error of a call of the debugging protocol.
struct DevToolsError: Error, CustomStringConvertible {
    static let left = DevToolsError("page", "it was left")

    let description: String

    init(_ method: String, _ reason: String) { description = "\(method): \(reason)" }
}
