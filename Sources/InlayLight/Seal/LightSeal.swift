/// The encryption of a payload's fields with a secret that is printed on the device: ChaCha20-Poly1305 with a key that
/// HKDF-SHA256 derives from the secret and a salt of eight random bytes.
///
/// Layout: first byte with the seal's flag, salt (8), sealed fields, tag (16). The first nine bytes are authenticated
/// too. The salt gives every payload a different key, so the nonce is zero.
struct LightSeal {
    /// The minimum number of bytes of a secret: 80 bits. The link has no reply, so a shorter secret could be found by
    /// trying all on a recording, without a time limit.
    static let secretBytes = 10
    static let saltBytes = 8
    static let tagBytes = 16
    /// The number of bytes that a seal adds to the fields.
    static let overhead = saltBytes + tagBytes
    /// The number of 32-bit words of working memory: key (8), hash or stream (32).
    static let words = 8 + ChaCha20.words
    private static let info: StaticString = "inlay light link 1"

    private let key: UnsafeMutablePointer<UInt8>
    private let work: UnsafeMutablePointer<UInt32>
    private let stream: ChaCha20

    /// Derives the key. `words` is memory of the caller and must stay valid.
    init(
        _ words: UnsafeMutablePointer<UInt32>, secret: UnsafePointer<UInt8>, count: Int,
        salt: UnsafePointer<UInt8>
    ) {
        key = UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self)
        work = words + 8
        Self.hmac(work, key: salt, Self.saltBytes, secret, count, last: nil, into: key)
        Self.hmac(work, key: key, 32, Self.info.utf8Start, Self.info.utf8CodeUnitCount, last: 1, into: key)
        stream = ChaCha20(work, key: key)
    }

    /// Computes HMAC-SHA256 of a message, with `last` as an optional further byte.
    private static func hmac(
        _ work: UnsafeMutablePointer<UInt32>, key: UnsafePointer<UInt8>, _ keyCount: Int,
        _ message: UnsafePointer<UInt8>, _ count: Int, last: UInt8?, into digest: UnsafeMutablePointer<UInt8>
    ) {
        var hash = SHA256(work)
        // The digest may overwrite the key, so the key is first copied behind the hash's words.
        let outer = UnsafeMutableRawPointer(work + SHA256.words).assumingMemoryBound(to: UInt8.self)
        var index = 0
        while index < 64 {
            let byte = index < keyCount ? key[index] : 0
            hash.add(byte ^ 0x36)
            if index < 32 { outer[index] = byte }
            index &+= 1
        }
        hash.add(message, count)
        if let last { hash.add(last) }
        hash.finish(digest)
        index = 0
        while index < 64 {
            hash.add((index < keyCount ? outer[index] : 0) ^ 0x5C)
            index &+= 1
        }
        hash.add(digest, 32)
        hash.finish(digest)
    }

    /// Opens in place. `start` is the payload's first byte, `count` the number of bytes before the end check. Returns
    /// whether the tag was valid; otherwise the bytes are unchanged.
    func open(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
        let sealed = start + 1 + Self.saltBytes
        let length = count &- 1 &- Self.overhead
        if length < 0 { return false }
        let tag = self.tag(start, sealed, length)
        let other = UnsafePointer(sealed + length)
        // Compares all bits, so that the time reveals nothing about them.
        let difference =
            (tag.0 ^ ChaCha20.word(other)) | (tag.1 ^ ChaCha20.word(other + 4))
            | (tag.2 ^ ChaCha20.word(other + 8)) | (tag.3 ^ ChaCha20.word(other + 12))
        guard difference == 0 else { return false }
        crypt(sealed, length)
        return true
    }

    /// Seals in place; the last 16 of the `count` bytes receive the tag.
    func close(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let sealed = start + 1 + Self.saltBytes
        let length = count &- 1 &- Self.overhead
        crypt(sealed, length)
        let tag = self.tag(start, sealed, length)
        var index = 0
        while index < 16 {
            let word = index < 4 ? tag.0 : index < 8 ? tag.1 : index < 12 ? tag.2 : tag.3
            sealed[length &+ index] = UInt8(truncatingIfNeeded: word &>> UInt32(8 &* (index & 3)))
            index &+= 1
        }
    }

    private func crypt(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) {
        var index = 0
        while index < count {
            if index & 63 == 0 { stream.make(UInt32(truncatingIfNeeded: index &>> 6 &+ 1)) }
            bytes[index] ^= stream.byte(index)
            index &+= 1
        }
    }

    private func keyWord(_ index: Int) -> UInt32 {
        var word: UInt32 = 0
        var place = 3
        while place >= 0 {
            word = word &<< 8 | UInt32(stream.byte(index &* 4 &+ place))
            place &-= 1
        }
        return word
    }

    private func tag(
        _ start: UnsafePointer<UInt8>, _ sealed: UnsafePointer<UInt8>, _ count: Int
    ) -> (UInt32, UInt32, UInt32, UInt32) {
        stream.make(0)
        var mac = Poly1305((keyWord(0), keyWord(1), keyWord(2), keyWord(3)))
        add(&mac, start, 1 &+ Self.saltBytes)
        add(&mac, sealed, count)
        var index = 0
        while index < 16 {
            let length = index < 8 ? 1 &+ Self.saltBytes : count
            mac.add(index & 7 == 0 ? UInt8(truncatingIfNeeded: length) : 0)
            index &+= 1
        }
        return mac.finish((keyWord(4), keyWord(5), keyWord(6), keyWord(7)))
    }

    private func add(_ mac: inout Poly1305, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
        var index = 0
        while index < count {
            mac.add(bytes[index])
            index &+= 1
        }
        mac.pad()
    }
}
