extension SetupString {
    /// Inlay's English text.
    public var text: String { Self.english[self] ?? rawValue }

    private static let english: [SetupString: String] = account.merging(connection) { $1 }.merging(outcome) {
        $1
    }

    private static let account: [SetupString: String] = [
        .back: "Back", .close: "Close", .next: "Continue", .tryAgain: "Try again", .working: "One moment",
        .stepAccount: "Your account", .stepNetwork: "Your Wi-Fi", .stepConnect: "Connect",
        .stepOf: "Step {{step}} of {{steps}}", .logoNext: "Get started",

        .mailTitle: "What is your email address?",
        .mailLead: "Your devices belong to your account, and this address is how it knows you.",
        .mailLabel: "Email address", .mailNext: "Continue", .forgotAddress: "I forgot which address I used",
        .havePassword: "I have a password",

        .codeTitle: "Check your mail",
        .codeLead: "If {{email}} can be used, a code is on its way to it. It is good for ten minutes.",
        .codeLabel: "Code from the mail", .codeNext: "Continue", .sendAgain: "Send another code",
        .sentAgain: "Another mail is on its way.",

        .logInTitle: "Log in", .logInLead: "Enter the password for {{email}}.",
        .passwordLabel: "Password", .logInNext: "Log in", .forgotPassword: "I forgot my password",
        .useCode: "Mail me a code instead",

        .resetTitle: "Set a new password",
        .resetLead:
            "If {{email}} has an account, a code is on its way to it. Enter it with the password you want.",
        .newPasswordLabel: "New password", .newPasswordHint: "At least 15 characters; a sentence works well.",
        .resetNext: "Set password", .resetOnWeb: "Do it on the web page instead",

        .mistakeAddress: "This is not an email address. It looks like name@example.com.",
        .mistakeAddressLetters: "Only addresses in plain letters a–z can be used here, without accents.",
        .mistakePassword: "Address and password do not belong together. Try again, or have a code mailed.",
        .mistakeCode: "This code is wrong or too old. Check the newest mail, or ask for another.",
        .mistakeUnfitPassword: "This password is too short or too common. Choose a longer one.",
        .mistakeNetworkName: "Enter the network’s name, up to 32 letters.",
        .mistakeNetworkPassword:
            "A Wi-Fi password has 8 to 63 characters. Leave it empty for an open network.",
        .mistakeTooMany: "Too many tries. Wait a minute, then try again.",
        .mistakeOffline: "No connection. Check that this phone is online, then try again.",
        .mistakeServer: "That did not work. Try again in a moment.",
        .mistakeLoggedOut: "You were logged out. Log in to go on.",
        .mistakeLightStopped:
            "The light stopped because the app was left. Start it again when you are ready.",
    ]

    private static let connection: [SetupString: String] = [
        .networkTitle: "Which network shall it use?",
        .networkLead: "Your device joins this network. Name and password go to the device only, by light.",
        .networkLabel: "Network name", .networkChoose: "Networks this phone knows",
        .networkPasswordLabel: "Wi-Fi password",
        .networkPasswordHint: "Upper and lower case matter. Leave it empty for an open network.",
        .networkNext: "Continue",

        .safetyTitle: "A small square will flash",
        .safetyWarning:
            "It flashes fast, up to 60 times a second. If flashing light can harm you or somebody near you, take another way.",
        .safetyHow:
            "Hold the device’s light sensor flat on the square and keep it covered, before you start and until its lamp turns green.",
        .safetyStart: "The sensor covers it: start", .safetyWait: "Start in {{seconds}} s",
        .otherWays: "Other ways", .takePicture: "Show a code for the device’s camera",
        .takeTyped: "Type a code on the device", .takeLight: "Use light instead",

        .lightTitle: "Keep the sensor on the square",
        .lightLead: "Hold it still. This takes ten seconds or so, rarely more than a minute.",
        .lightPatch: "A flashing square that the device reads", .lightRead: "Its lamp is green",
        .lightStop: "Stop",

        .pictureTitle: "Show this to the device’s camera",
        .pictureLead: "It holds your Wi-Fi password. Let nobody else take a picture of it.",
        .pictureText: "A code for the device’s camera", .pictureDone: "The device has read it",

        .typedTitle: "Type this on the device",
        .typedLead:
            "Choose your Wi-Fi in the device’s own menu, then enter the code. It is good for ten minutes.",
        .typedCode: "Code", .typedServer: "Server", .typedNetwork: "Wi-Fi",
        .typedDone: "I entered it",

        .waitingTitle: "Waiting for your device",
        .waitingLead: "It joins the Wi-Fi and says hello. That takes up to a minute.",
        .heldLead: "Your device is there. Prove your address with the mail we sent, and it is yours.",
        .lampTitle: "Is its lamp not green?",
        .lampWrongPassword: "Red, blinking: the Wi-Fi refused the password",
        .lampNetworkNotFound: "Yellow, blinking: no such network",
        .lampNoInternet: "Blue, blinking: no internet",
        .lampNoLight: "Off: it read no light",
    ]

    private static let outcome: [SetupString: String] = [
        .wrongPasswordTitle: "The Wi-Fi refused the password",
        .wrongPasswordAdvice:
            "Type the password again, as it stands on your router. Upper and lower case matter.",
        .networkNotFoundTitle: "The device cannot find this network",
        .networkNotFoundAdvice:
            "Check the name, letter by letter, and bring the device closer to the router. Many devices use 2.4 GHz only.",
        .noInternetTitle: "The Wi-Fi has no way to the internet",
        .noInternetAdvice:
            "The device joined, but could not reach the server. Check that the router is online; networks with a log-in page do not work.",
        .tokenExpiredTitle: "That took too long",
        .tokenExpiredAdvice: "A set-up is good for ten minutes. Try again; nothing has to be typed anew.",
        .noLightTitle: "The device read no light",
        .noLightAdvice:
            "Turn the screen’s brightness up, shade it from lamps and sun, and keep the sensor flat on the square.",
        .cancelledTitle: "The set-up was stopped on the device",
        .cancelledAdvice: "Try again when the device is ready.",
        .otherTitle: "The device did not come online",
        .otherAdvice: "Switch it off and on, bring it closer to the router, and try again.",
        .connectionLostTitle: "This phone lost its connection",
        .connectionLostAdvice:
            "Check that the phone is online, then try again. The device may be set up already.",
        .applicationRefusedTitle: "This app may not set up devices",
        .applicationRefusedAdvice: "Update the app. If that does not help, its makers have to look into it.",
        .tooLongTitle: "This Wi-Fi does not fit the light",
        .tooLongAdvice:
            "Its name, its password and the server’s address are too long together. Type a code on the device instead, or choose another network.",
        .tooLongOnlyAdvice:
            "Its name, its password and the server’s address are too long together. Choose a network with a shorter name or password.",
        .serverTitle: "The server could not do this",
        .serverAdvice: "Try again in a few minutes.",
        .changeNetwork: "Change the Wi-Fi details",

        .pairedTitle: "{{device}} is connected", .pairedLead: "It belongs to your account now.",
        .pairedNext: "Done", .tipsSkip: "Skip", .tipsDone: "Done",
        .tip1Title: "It remembers your Wi-Fi",
        .tip1Text: "Power cuts and restarts do not matter. Come back here only when your Wi-Fi changes.",
        .tip2Title: "Its lamp talks",
        .tip2Text: "Green: all is well. Yellow: looking for the network. Red: it needs you.",
        .tip3Title: "It is yours",
        .tip3Text: "Only your account can use it. Give it away by transferring it, and it forgets you.",
        .closedTitle: "Closed",
    ]
}
