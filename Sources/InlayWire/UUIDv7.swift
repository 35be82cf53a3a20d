/// A generator of ids that sort by their creation time (RFC 9562, version 7).
@_spi(Inlay) public enum UUIDv7 {
    /// Returns a new id: 48 bits of milliseconds, 74 random bits, in the usual lower-case form.
    public static func make(at time: Timestamp) -> String {
        var random = SystemRandomNumberGenerator()
        return make(at: time, using: &random)
    }

    /// Returns a new id without hyphens, after a prefix that names the kind of record: `tpl_…` for `tpl`.
    public static func make(_ prefix: String, at time: Timestamp) -> String {
        prefix + "_" + make(at: time).filter { $0 != "-" }
    }

    /// Returns a new id from the caller's random numbers.
    public static func make(at time: Timestamp, using random: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(clamping: time.microseconds / 1000) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.next() & 0x3FFF_FFFF_FFFF_FFFF
        return String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for shift in stride(from: 124, through: 0, by: -4) {
                if [8, 13, 18, 23].contains(position) {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = shift >= 64 ? high >> UInt64(shift - 64) : low >> UInt64(shift)
                let digit = UInt8(half & 15)
                text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                position += 1
            }
            return 36
        }
    }
}
