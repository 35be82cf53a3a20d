/// The texts of a set-up's screens; an app may replace them, in any language.
public enum SetupString: String, Codable, Hashable, Sendable, CaseIterable {
    case back, close, next, tryAgain, working
    /// The steps of the progress bar; `{{step}}` and `{{steps}}` are numbers.
    case stepAccount, stepNetwork, stepConnect, stepOf
    case logoNext

    case mailTitle, mailLead, mailLabel, mailNext, forgotAddress, havePassword
    /// `{{email}}` is the address.
    case codeTitle, codeLead, codeLabel, codeNext, sendAgain, sentAgain
    case logInTitle, logInLead, passwordLabel, logInNext, forgotPassword, useCode
    case resetTitle, resetLead, newPasswordLabel, newPasswordHint, resetNext, resetOnWeb

    case networkTitle, networkLead, networkLabel, networkChoose, networkPasswordLabel, networkPasswordHint,
        networkNext

    case safetyTitle, safetyWarning, safetyHow, safetyStart
    /// `{{seconds}}` is a number.
    case safetyWait
    case otherWays, takePicture, takeTyped, takeLight
    case lightTitle, lightLead, lightPatch, lightRead, lightStop
    case pictureTitle, pictureLead, pictureText, pictureDone
    case typedTitle, typedLead, typedCode, typedServer, typedNetwork, typedDone
    case waitingTitle, waitingLead, heldLead, lampTitle
    case lampWrongPassword, lampNetworkNotFound, lampNoInternet, lampNoLight

    case wrongPasswordTitle, wrongPasswordAdvice
    case networkNotFoundTitle, networkNotFoundAdvice
    case noInternetTitle, noInternetAdvice
    case tokenExpiredTitle, tokenExpiredAdvice
    case noLightTitle, noLightAdvice
    case cancelledTitle, cancelledAdvice
    case otherTitle, otherAdvice
    case connectionLostTitle, connectionLostAdvice
    case applicationRefusedTitle, applicationRefusedAdvice
    case tooLongTitle, tooLongAdvice
    /// Replaces `tooLongAdvice` when the app allows no other way than light.
    case tooLongOnlyAdvice
    case serverTitle, serverAdvice
    case changeNetwork

    /// `{{device}}` is the device's name.
    case pairedTitle, pairedLead, pairedNext
    case tipsSkip, tipsDone
    case tip1Title, tip1Text, tip2Title, tip2Text, tip3Title, tip3Text
    case closedTitle

    case mistakeAddress, mistakeAddressLetters, mistakePassword, mistakeCode, mistakeUnfitPassword,
        mistakeNetworkName,
        mistakeNetworkPassword, mistakeTooMany, mistakeOffline, mistakeServer, mistakeLoggedOut,
        mistakeLightStopped
}
