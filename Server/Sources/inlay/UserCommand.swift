import ArgumentParser
import Foundation
import InlayServer
import InlayServerCore

/// `inlay user`: manages the operators, who may sign in to the Workbench.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the operators of the Workbench.",
        subcommands: [List.self, Add.self, Password.self, Role.self, Disable.self, Enable.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the operators.")
        @OptionGroup var options: ServerOptions

        func run() async throws {
            try await options.withServices { services in
                for `operator` in try await services.operators.operators() {
                    let state = `operator`.disabledAt == nil ? "" : "  (disabled)"
                    Output.line("\(`operator`.role.rawValue)  \(`operator`.login)\(state)")
                }
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an operator and print a random password.")
        @OptionGroup var options: ServerOptions
        @Argument(help: "The operator's login.") var login: String
        @Option(help: "admin, editor or analyst.") var role = "editor"

        func run() async throws {
            guard let role = OperatorRole(rawValue: role) else {
                throw CommandError("The role is admin, editor or analyst.")
            }
            try await options.withServices { services in
                let password = Secret.random(bytes: 12)
                _ = try await services.operators.create(
                    login: login, password: password, role: role, isTemporary: true)
                try await services.recordCommand("added operator", login)
                Output.line(password)
            }
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a new random password, print it, and end that operator's sign-ins.",
            discussion: """
                It works at once, however many wrong passwords were tried, and must be changed at the next sign-in.
                """)
        @OptionGroup var options: ServerOptions
        @Argument(help: "The login.") var login: String

        func run() async throws {
            try await options.withServices { services in
                let password = Secret.random(bytes: 12)
                try await services.operators.setPassword(
                    services.operators.find(login: login).id, password, isTemporary: true)
                try await services.recordCommand("set password", login)
                Output.line(password)
            }
        }
    }

    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change an operator's role.")
        @OptionGroup var options: ServerOptions
        @Argument(help: "The login.") var login: String
        @Argument(help: "admin, editor or analyst.") var role: String

        func run() async throws {
            guard let role = OperatorRole(rawValue: role) else {
                throw CommandError("The role is admin, editor or analyst.")
            }
            try await options.withServices { services in
                try await services.operators.setRole(services.operators.find(login: login).id, role)
                try await services.recordCommand("set role \(role.rawValue)", login)
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Disable an operator at once.")
        @OptionGroup var options: ServerOptions
        @Argument(help: "The login.") var login: String

        func run() async throws {
            try await options.withServices { services in
                try await services.operators.setDisabled(services.operators.find(login: login).id, true)
                try await services.recordCommand("disabled operator", login)
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enable a disabled operator.")
        @OptionGroup var options: ServerOptions
        @Argument(help: "The login.") var login: String

        func run() async throws {
            try await options.withServices { services in
                try await services.operators.setDisabled(services.operators.find(login: login).id, false)
                try await services.recordCommand("enabled operator", login)
            }
        }
    }
}
