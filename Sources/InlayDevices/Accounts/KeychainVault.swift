#if canImport(Security)
    public import Foundation
    import Security

    /// Keeps the log-in in the keychain: on this device only, readable once it was unlocked after a restart.
    public struct KeychainVault: AccountVault {
        private let service: String

        /// A place in the keychain; apps that share a keychain group give each its own name.
        public init(service: String = "inlay.devices") { self.service = service }

        public func load() async throws -> Data? {
            var query = place
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            guard status != errSecItemNotFound else { return nil }
            guard status == errSecSuccess else { throw KeychainFailure(status: status) }
            return found as? Data
        }

        public func save(_ data: Data?) async throws {
            let removed = SecItemDelete(place as CFDictionary)
            guard removed == errSecSuccess || removed == errSecItemNotFound else {
                throw KeychainFailure(status: removed)
            }
            guard let data else { return }
            var item = place
            item[kSecValueData as String] = data
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let added = SecItemAdd(item as CFDictionary, nil)
            guard added == errSecSuccess else { throw KeychainFailure(status: added) }
        }

        private var place: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: "log-in",
            ]
        }
    }

    /// The keychain's own word for what went wrong.
    public struct KeychainFailure: Error, Hashable, Sendable {
        /// The status of the Security framework.
        public let status: Int32
    }
#endif
