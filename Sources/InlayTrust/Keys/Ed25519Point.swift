import Foundation

/// The encoded public keys of Ed25519 for which one signature is valid over many messages.
///
/// A key whose point has an order of 1, 2, 4 or 8 belongs to nobody: anyone can compute its signatures.
enum Ed25519Point {
    /// Whether the bytes encode a point of small order, in a canonical encoding or not.
    static func isSmallOrder(_ key: Data) -> Bool {
        guard key.count == 32, let last = key.last else { return false }
        // The highest bit is the sign of x. A point of small order is one with either sign.
        let y = Array(key.dropLast()) + [last & 0x7F]
        return smallOrder.contains(y)
    }

    /// The y coordinates, in little-endian order: 0, 1, -1, the two of order 8, and the encodings of 0 and 1
    /// that are not reduced by p = 2^255 - 19.
    private static let smallOrder: Set<[UInt8]> = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        nearPrime(0xEC), nearPrime(0xED), nearPrime(0xEE),
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]

    private static func nearPrime(_ first: UInt8) -> [UInt8] {
        [first] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    }
}
