/// The fields of a payload: a type, a length and that many bytes, one after another; 0 ends them.
///
/// A type that a receiver does not know is stepped over.
public enum LightField {
    /// The network's name: 1 … 32 bytes.
    public static let ssid: UInt8 = 1
    /// The network's password: 1 … 64 bytes; not there for an open network.
    public static let password: UInt8 = 2
    /// The pairing token that the device shows to the server: 16 bytes.
    public static let token: UInt8 = 3
    /// The host name of the server, with `:port` where it is not 443.
    public static let host: UInt8 = 4
    /// The country for the radio's rules: two letters of ISO 3166.
    public static let country: UInt8 = 5
    /// Unix seconds, four bytes, highest first: enough to check a certificate with.
    public static let time: UInt8 = 6

    /// The range of the bytes of `type` in the fields that start at `start`; empty when there are none.
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
