import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import NIOFoundationCompat

/// Live messages as JSON text.
enum LiveText {
    static func encode(_ message: LiveMessage) -> ByteBuffer? {
        (try? JSONEncoder().encode(message)).map { ByteBuffer(bytes: $0) }
    }

    static func decode(_ buffer: ByteBuffer) -> LiveMessage? {
        try? JSONDecoder().decode(LiveMessage.self, from: Data(buffer: buffer))
    }
}
