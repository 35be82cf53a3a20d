extension InlayHeader {
    /// The id of the calling application, from the Workbench. Every route of the SDK below `/v1/devices` requires it;
    /// there it identifies the environment, too.
    public static let application = "Inlay-Application"
    /// One of the application's active secrets. It identifies the app, never the user: it can be read out of an app.
    public static let applicationSecret = "Inlay-Application-Secret"
}

extension InlayPath {
    /// `POST` of an `AccountRequest`: 201 with an `AccountOpening`, or 202 with an `AccountNext`.
    public static let deviceAccounts = "/v1/devices/accounts"
    /// `POST` of an `AccountProof`: 200 with an `AccountOpening`.
    public static let deviceAccountProof = "/v1/devices/accounts/proof"
    /// `POST` of an `AccountDeletion`: 204; no data of the account remains.
    public static let deviceAccountDeletion = "/v1/devices/accounts/deletion"
    /// `POST` without a body: 202, and a mail with a code for the deletion.
    public static let deviceAccountDeletionCode = "/v1/devices/accounts/deletion/code"
    /// `POST` of an `AccountLogIn`: 200 with an `AccountOpening`, or 401. `GET` of the account's sessions: an
    /// `AccountSessionList`. `DELETE` ends this session: 204.
    public static let deviceSessions = "/v1/devices/sessions"
    /// `POST` of an `AccountRefresh`: 200 with an `AccountOpening`; the old refresh token becomes invalid.
    public static let deviceSessionRefresh = "/v1/devices/sessions/refresh"
    /// `DELETE` ends every session of the account: 204.
    public static let deviceSessionsAll = "/v1/devices/sessions/all"
    /// `POST` of an `AccountSessionEnd`, without an access token: 204, whether or not the session exists.
    public static let deviceSessionEnd = "/v1/devices/sessions/end"
    /// `POST` of a `PasswordReset`: 202, whether the address is known or not.
    public static let devicePasswordReset = "/v1/devices/password/reset"
    /// `POST` of a `NewPassword` with the code from the mail: 204. Ends the account's other sessions.
    public static let devicePassword = "/v1/devices/password"
    /// `POST` of a `PasswordChange`: 204. Ends the account's other sessions.
    public static let devicePasswordChange = "/v1/devices/password/change"
    /// `POST` without a body: 200 with an `ApplicationToken`; 403 when the application was revoked.
    public static let deviceApplicationToken = "/v1/devices/application-token"

    /// `POST` of a `PairingRequest`: 201 with a `Pairing`.
    public static let devicePairings = "/v1/devices/pairings"
    /// `GET` of the user's devices: a `DeviceList`.
    public static let devices = "/v1/devices"

    /// `POST` of a `DeviceClaim`, from a device: 200 with a `DeviceCredential`.
    public static let deviceClaim = "/v1/devices/claim"
    /// `POST` of a `DeviceSeen`, from a device that received a token and joins the network: 204.
    public static let deviceSeen = "/v1/devices/seen"
    /// `POST` of a `DeviceFailureReport`, from a device: 204.
    public static let deviceFailure = "/v1/devices/failure"

    /// `GET` of a pairing: a `PairingStatus`.
    public static func devicePairing(_ id: String) -> String { "/v1/devices/pairings/\(escaped(id))" }

    /// `POST` of a `PairingCancel`: 204.
    public static func devicePairingCancel(_ id: String) -> String { devicePairing(id) + "/cancel" }

    /// `PATCH` with a `DeviceChange`: 200 with the `Device`. `DELETE`: 204; the device's credential becomes invalid.
    public static func device(_ id: String) -> String { "/v1/devices/\(escaped(id))" }

    /// `DELETE` ends one of the account's sessions: 204, or 404.
    public static func deviceSession(_ id: String) -> String { "/v1/devices/sessions/\(escaped(id))" }

    /// `POST` of a `DeviceTransfer`: 202, whether the address is known or not. `DELETE` withdraws the offer: 204.
    public static func deviceTransfer(_ id: String) -> String { "/v1/devices/\(escaped(id))/transfer" }

    /// The page, for a phone's browser, on which users recover a forgotten password.
    public static func recoverPassword(application: String) -> String {
        "/recover/\(escaped(application))/password"
    }

    /// The page, for a phone's browser, on which users find out which address they used.
    public static func recoverUsername(application: String) -> String {
        "/recover/\(escaped(application))/username"
    }
}

extension LiveMessage {
    /// The topic of the user's pairings and list of devices.
    public static let pairingTopic = "devices/pairings"
}

extension Problem.Code {
    /// The application's id or secret is missing, wrong or revoked.
    public static let applicationRefused = Self(rawValue: "application.refused")
    /// The address and the password do not match; the error does not reveal which of them is wrong.
    public static let logInRefused = Self(rawValue: "account.log-in-refused")
    /// The code is wrong, used or expired.
    public static let mailCodeRefused = Self(rawValue: "account.code-refused")
    /// The text is no mail address.
    public static let mailAddressInvalid = Self(rawValue: "account.address-invalid")
    /// The mail address has letters that no account's address may have; `detail` has the remedy, for people.
    public static let mailAddressUnsupported = Self(rawValue: "account.address-unsupported")
    /// The password is too short or too common; `detail` says which, for people.
    public static let passwordUnfit = Self(rawValue: "account.password-unfit")
    /// The session of the account ended, or its refresh token was used before.
    public static let accountSessionEnded = Self(rawValue: "account.session-ended")
    /// The pairing token is unknown, used, expired, or was replaced by a newer one.
    public static let pairingRefused = Self(rawValue: "pairing.refused")
}
