/// The types of a payload's fields. A field is a type, a length and that many bytes; a type of 0 ends the fields.
///
/// A receiver skips types that it does not know.
public enum LightField {
    /// The network's name: 1 … 32 bytes.
    public static let ssid: UInt8 = 1
    /// The network's password: 1 … 64 bytes; absent for an open network.
    public static let password: UInt8 = 2
    /// The pairing token that the device sends to the server: 16 bytes.
    public static let token: UInt8 = 3
    /// The host name of the server, with `:port` where it is not 443.
    public static let host: UInt8 = 4
    /// The country whose radio regulations apply: two letters of ISO 3166.
    public static let country: UInt8 = 5
    /// The time, so that the device can check certificates: Unix seconds, four bytes, highest first.
    public static let time: UInt8 = 6

    /// Returns the range of the bytes of the field `type` in the fields from `start` to `end`; empty when there is no
    /// such field.
    public static func find(
        _ type: UInt8, in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int
    ) -> Range<Int> {
        var place = start
        while place &+ 2 <= end, bytes[place] != 0 {
            let next = place &+ 2 &+ Int(bytes[place &+ 1])
            if next > end { break }
            if bytes[place] == type { return Range(uncheckedBounds: (place &+ 2, next)) }
            place = next
        }
        return Range(uncheckedBounds: (end, end))
    }
}
