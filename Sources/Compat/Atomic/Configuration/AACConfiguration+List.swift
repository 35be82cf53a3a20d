internal import Foundation
internal import InlayCardsView
internal import InlaySurface

extension AACConfiguration {
    /// The configuration as InlayCardsView's type.
    var list: CardListConfiguration {
        var list = CardListConfiguration()
        switch presentationStyle {
        case .withoutButton: list.presentationStyle = .withoutButton
        case .withActionButton: list.presentationStyle = .actionButton(label: text(.cardListTitle))
        case .withContextualButton: list.presentationStyle = .contextualButton(.modal)
        }
        list.launchBackgroundColor = launchBackgroundColor?.surface ?? .white
        list.launchTextColor = launchTextColor?.surface ?? .black.opacity(0.5)
        list.launchLoadingIndicatorColor = launchLoadingIndicatorColor?.surface ?? .black
        list.launchButtonColor = launchButtonColor?.surface ?? .black
        list.launchIconColor = launchIconColor?.surface ?? .black
        switch interfaceStyle {
        case .automatic: list.interfaceStyle = .automatic
        case .light: list.interfaceStyle = .light
        case .dark: list.interfaceStyle = .dark
        }
        list.enabledUIElements = CardListConfiguration.UIElements(rawValue: enabledUiElements.rawValue)
        list.votingOptions = CardListConfiguration.VotingOptions(
            rawValue: cardVotingOptions.subtracting(AACCardVotingOption.none).rawValue)
        list.cardMaxWidth = cardMaxWidth
        list.cardListRefreshInterval = .seconds(notBelowZero: cardListRefreshInterval)
        list.runtimeVariableResolutionTimeout = .seconds(notBelowZero: runtimeVariableResolutionTimeout)
        for (key, value) in customStrings { list.setValue(value, for: key.surface) }
        return list
    }
}

extension AACCustomString {
    fileprivate var surface: CardString {
        switch self {
        case .cardListTitle: .cardListTitle
        case .cardSnoozeTitle: .cardSnoozeTitle
        case .awaitingFirstCard: .awaitingFirstCard
        case .allCardsCompleted: .allCardsCompleted
        case .votingUseful: .votingUseful
        case .votingNotUseful: .votingNotUseful
        case .votingFeedbackTitle: .votingFeedbackTitle
        case .cardListFooterMessage: .cardListFooterMessage
        case .noInternetConnectionMessage: .noInternetConnectionMessage
        case .dataLoadFailedMessage: .dataLoadFailedMessage
        case .tryAgainTitle: .tryAgainTitle
        case .toastCardDismissedMessage: .toastCardDismissedMessage
        case .toastCardCompletedMessage: .toastCardCompletedMessage
        case .toastCardSnoozeMessage: .toastCardSnoozeMessage
        case .toastCardFeedbackMessage: .toastCardFeedbackMessage
        }
    }
}

extension UIColor {
    fileprivate var surface: SurfaceColor {
        #if canImport(UIKit)
            var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
            getRed(&red, green: &green, blue: &blue, alpha: &alpha)
        #endif
        // Components of extended colour spaces can be outside 0…1.
        func byte(_ component: Double) -> UInt8 { UInt8((min(max(component, 0), 1) * 255).rounded()) }
        return SurfaceColor(
            red: byte(Double(red)), green: byte(Double(green)), blue: byte(Double(blue)), alpha: Double(alpha)
        )
    }
}
