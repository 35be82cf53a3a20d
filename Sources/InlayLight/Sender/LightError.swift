/// The reason why a payload cannot be sent by light.
public enum LightError: Error, Equatable, Sendable {
    /// A network's name has 1 … 32 bytes of UTF-8.
    case ssidLength
    /// A password has at most 64 bytes of UTF-8 (63, or 64 hexadecimal digits).
    case passwordLength
    /// A pairing token has 16 bytes.
    case tokenLength
    /// A host has at most 255 bytes, a country two letters.
    case fieldLength
    /// All fields together do not fit into 16 blocks of 12 bytes. A shorter host helps.
    case tooLong
    /// The secret has less than 80 bits: it could be found by trying all secrets on a recording of the light.
    case weakSecret
}
