import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of one of the recovery pages.
struct RecoveryPage: Sendable {
    let title: String
    let appName: String
    let logoPath: String?
    var words: String?
    var fault: String?
    var faultHint: String?
    var hasForm = false
    var action = ""
    var asksForEmail = false
    var asksForCode = false
    var email = ""
    /// The id of the request for which the code was mailed.
    var request = ""
    var code = ""
    var rule = ""
    var button = ""
    var otherPath: String?
    var otherLabel = ""
    var csrf = ""

    private init(_ title: String, _ application: DeviceApplication) {
        self.title = title
        appName = application.name
        logoPath = application.hasLogo ? "/recover/\(application.id)/logo" : nil
    }

    static func askForEmail(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Forgot your password?", application)
        page.words = "Enter the address of your account. We send a code to it."
        (page.hasForm, page.asksForEmail, page.button) = (true, true, "Send the code")
        page.action = InlayPath.recoverPassword(application: application.id.rawValue)
        page.otherPath = InlayPath.recoverUsername(application: application.id.rawValue)
        page.otherLabel = "I forgot which address I used"
        return page
    }

    static func askForCode(
        _ application: DeviceApplication, email: String = "", request: String = ""
    ) -> RecoveryPage {
        var page = RecoveryPage("Choose a new password", application)
        page.words = "If there is an account with this address, we sent it a mail with a code."
        (page.hasForm, page.asksForCode, page.button) = (true, true, "Set the password")
        page.action = InlayPath.recoverPassword(application: application.id.rawValue) + "/code"
        page.email = email
        page.request = request
        page.rule = "At least \(application.minimumPasswordLength) characters. A few words make a good one."
        page.otherPath = InlayPath.recoverPassword(application: application.id.rawValue)
        page.otherLabel = "Send another code"
        return page
    }

    static func passwordSet(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Your password is set", application)
        page.words = "Every phone was logged out. Go back to the app and log in with the new password."
        return page
    }

    static func askForUsername(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Which address did you use?", application)
        page.words =
            "Enter an address that may be yours. If it has an account, we send a mail to it."
        (page.hasForm, page.asksForEmail, page.button) = (true, true, "Send the mail")
        page.action = InlayPath.recoverUsername(application: application.id.rawValue)
        page.otherPath = InlayPath.recoverPassword(application: application.id.rawValue)
        page.otherLabel = "I know the address and forgot the password"
        return page
    }

    static func usernameSent(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Check your mail", application)
        page.words =
            "If the address has an account, we sent it a mail. If none arrives, try another address."
        page.otherPath = InlayPath.recoverUsername(application: application.id.rawValue)
        page.otherLabel = "Try another address"
        return page
    }

    /// Returns the page with a fault and the typed values, but for the password.
    func with(_ form: FormFields, _ problem: Problem) -> RecoveryPage {
        var page = self
        page.email = form.trimmed("email").prefix(scalars: 254)
        page.code = form.trimmed("code").prefix(scalars: 64)
        page.request = form.trimmed("request").prefix(scalars: 64)
        (page.fault, page.faultHint) = (problem.title, problem.detail)
        return page
    }
}
