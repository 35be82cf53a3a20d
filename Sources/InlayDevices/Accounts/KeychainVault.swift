#if canImport(Security)
    public import Foundation
    public import Security

    /// A store of the log-in in the keychain of this device. It is readable from the first unlock after a restart.
    public struct KeychainVault: AccountVault {
        private let service: String

        /// Creates a vault whose keychain item has this service name. Apps that share a keychain group need different
        /// names.
        public init(service: String = "inlay.devices") { self.service = service }

        public func load() async throws -> Data? {
            var query = itemQuery
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            guard status != errSecItemNotFound else { return nil }
            guard status == errSecSuccess else { throw KeychainFailure(status: status) }
            return found as? Data
        }

        public func save(_ data: Data?) async throws {
            guard let data else {
                let removed = SecItemDelete(itemQuery as CFDictionary)
                guard removed == errSecSuccess || removed == errSecItemNotFound else {
                    throw KeychainFailure(status: removed)
                }
                return
            }
            let content: [String: Any] = [
                kSecValueData as String: data,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            // The item is changed in place: one that was deleted first would be lost if the new one could not be added.
            var saved = SecItemUpdate(itemQuery as CFDictionary, content as CFDictionary)
            if saved == errSecItemNotFound {
                let item = itemQuery.merging(content) { _, new in new }
                saved = SecItemAdd(item as CFDictionary, nil)
            }
            guard saved == errSecSuccess else { throw KeychainFailure(status: saved) }
        }

        private var itemQuery: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: "log-in",
            ]
        }
    }

    /// An error of the keychain.
    public struct KeychainFailure: Error, Hashable, Sendable {
        /// The result code of the Security framework, such as `errSecInteractionNotAllowed`.
        public let status: Int32
    }
#endif
