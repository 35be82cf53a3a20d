@_spi(Inlay) import InlayWire

/// The id of a ``User``, as the app's own tokens name the user; unique within an environment.
package struct UserID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

extension UserID {
    /// The position before every user's id, where the first page of users begins.
    package static let beforeAll = UserID("")
}

extension UserID {
    /// The user of a device account.
    package init(account id: AccountID) { self.init(DeviceAccount.userID(of: id.rawValue)) }

    /// The id of the device account that this user belongs to; `nil` for a user of the app's own tokens.
    package var accountID: AccountID? {
        let prefix = DeviceAccount.userID(of: "")
        return rawValue.hasPrefix(prefix) ? AccountID(String(rawValue.dropFirst(prefix.count))) : nil
    }
}
