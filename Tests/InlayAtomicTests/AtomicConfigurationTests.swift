import Foundation
import InlayAtomic
import Testing

extension AtomicTests {
    @MainActor @Suite struct Configurations {
        @Test func `a new configuration has the documented defaults`() {
            let configuration = AACConfiguration()
            #expect(configuration.interfaceStyle == .automatic)
            #expect(configuration.enabledUiElements == [.cardListToast, .cardListHeader])
            #expect(configuration.cardListRefreshInterval == 15)
            #expect(configuration.runtimeVariableResolutionTimeout == 5)
            #expect(configuration.cardMaxWidth == 0)
            #expect(configuration.presentationStyle == .withoutButton)
            #expect(configuration.cardVotingOptions == AACCardVotingOption.none)
            #expect(!configuration.features.runtimeVariableAnalytics)
            #expect(configuration.launchBackgroundColor == .white)
            #expect(configuration.launchTextColor == UIColor.black.withAlphaComponent(0.5))
            #expect(
                configuration.launchLoadingIndicatorColor == .black
                    && configuration.launchButtonColor == .black)
        }

        @Test func `a negative maximum width becomes 0, a narrow one stays`() {
            let configuration = AACConfiguration()
            configuration.cardMaxWidth = -10
            #expect(configuration.cardMaxWidth == 0)
            configuration.cardMaxWidth = 150
            #expect(configuration.cardMaxWidth == 150)
        }

        @Test func `an empty set of elements is None, and None adds nothing to others`() {
            let configuration = AACConfiguration()
            configuration.enabledUiElements = []
            #expect(configuration.enabledUiElements == AACUIElementNone)
            #expect(AACUIElement.cardListToast.union(AACUIElementNone) == .cardListToast)
        }

        @Test func `every kind of configuration takes a launch icon colour`() {
            for configuration in [AACConfiguration(), AACSingleCardConfiguration()] {
                configuration.launchIconColor = .red
                #expect(configuration.launchIconColor == .red)
            }
        }

        @Test func `a resolution time below zero becomes zero`() {
            let (container, observer) = (AACConfiguration(), AACStreamContainerObserverConfiguration())
            container.runtimeVariableResolutionTimeout = -1
            observer.runtimeVariableResolutionTimeout = -1
            #expect(container.runtimeVariableResolutionTimeout == 0)
            #expect(observer.runtimeVariableResolutionTimeout == 0)
        }

        @Test func `a container keeps its id and a copy of its configuration`() {
            let configuration = AACConfiguration()
            configuration.setValue("Mine", for: .cardListTitle)
            configuration.features.runtimeVariableAnalytics = true
            let container = AACStreamContainerViewController(identifier: "1234", configuration: configuration)
            configuration.setValue("Changed", for: .cardListTitle)
            configuration.cardMaxWidth = 300
            #expect(container.identifier == "1234")
            #expect(container.configuration.text(.cardListTitle) == "Mine")
            #expect(container.configuration.text(.tryAgainTitle) == "Try again")
            #expect(container.configuration.features.runtimeVariableAnalytics)
            #expect(container.configuration.cardMaxWidth == 0)
        }

        @Test func `every custom string has its documented default`() {
            let plain = AACConfiguration()
            let defaults = AACCustomString.allCases.map(plain.text)
            #expect(
                defaults == [
                    "Cards", "Remind me", "Cards will appear here when there’s something to action.",
                    "All caught up",
                    "This is useful", "This isn't useful", "Send feedback", "", "No internet connection",
                    "Couldn't load data", "Try again", "Card dismissed", "Card completed", "Snoozed until X",
                    "Feedback received",
                ])
        }
    }
}
