// Toll-free bridging exists only on Apple's systems, so the types of Core Foundation are aliases of Swift types.
@_exported import Foundation

public typealias CFData = Data
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32
public final class CFError: Error {}
public final class SecKey {}
public final class SecCertificate: Sendable {}
public final class SecTrust: Sendable {}

public struct SecKeyAlgorithm: Sendable {
    public static let rsaSignatureMessagePSSSHA256 = Self()
}

public let kSecAttrKeyType: CFString = ""
public let kSecAttrKeyTypeRSA: CFString = ""
public let kSecAttrKeyClass: CFString = ""
public let kSecAttrKeyClassPublic: CFString = ""
public let kSecClass: CFString = ""
public let kSecClassGenericPassword: CFString = ""
public let kSecAttrService: CFString = ""
public let kSecAttrAccount: CFString = ""
public let kSecReturnData: CFString = ""
public let kSecValueData: CFString = ""
public let kSecAttrAccessible: CFString = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = ""
public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = 0

public func SecKeyCreateWithData(
    _ keyData: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<CFError?>?
) -> SecKey? { nil }
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<CFError?>?)
    -> CFData?
{
    nil
}
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { false }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
    -> OSStatus
{ 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    0
}
public func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    false
}
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [AnyObject]? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}
