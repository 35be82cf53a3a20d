@_spi(Inlay) import InlayWire
import NIOCore

/// Messages to many sockets, sent with one hop for each event loop, so that a loop wakes up once and not once per
/// socket.
struct LiveSends {
    private struct Key: Hashable {
        let topic: String
        let version: Int64
    }

    private var byLoop: [ObjectIdentifier: (loop: any EventLoop, sends: [(LiveSocket, ByteBuffer)])] = [:]
    /// The encoded messages; many sockets get the same one.
    private var encoded: [Key: ByteBuffer] = [:]

    mutating func add(_ socket: LiveSocket, topic: String, version: Int64) {
        let key = Key(topic: topic, version: version)
        guard let text = encoded[key] ?? LiveText.encode(.changed(topic: topic, version: version)) else {
            return
        }
        encoded[key] = text
        byLoop[ObjectIdentifier(socket.eventLoop), default: (socket.eventLoop, [])].sends.append(
            (socket, text))
    }

    func send() {
        for (loop, sends) in byLoop.values {
            loop.execute { for (socket, text) in sends { socket.send(text) } }
        }
    }
}
