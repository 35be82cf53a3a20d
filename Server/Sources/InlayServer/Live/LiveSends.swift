import NIOCore

/// Messages to many sockets, sent with one hop for each event loop: a loop then writes without waking up for each.
struct LiveSends {
    private struct Key: Hashable {
        let topic: String
        let version: Int64
    }

    private var byLoop: [ObjectIdentifier: (loop: any EventLoop, sends: [(LiveSocket, ByteBuffer)])] = [:]
    /// Many sockets are told the same.
    private var texts: [Key: ByteBuffer] = [:]

    mutating func add(_ socket: LiveSocket, topic: String, version: Int64) {
        let key = Key(topic: topic, version: version)
        guard let text = texts[key] ?? LiveText.encode(.changed(topic: topic, version: version)) else {
            return
        }
        texts[key] = text
        byLoop[ObjectIdentifier(socket.eventLoop), default: (socket.eventLoop, [])].sends.append(
            (socket, text))
    }

    func send() {
        for (loop, sends) in byLoop.values {
            loop.execute { for (socket, text) in sends { socket.send(text) } }
        }
    }
}
