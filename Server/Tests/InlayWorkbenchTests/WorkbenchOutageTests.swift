import Foundation
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

/// Tests of the Workbench while the processes of PostgreSQL are paused.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WorkbenchOutageTests {
    @Test
    func
        `while the database hangs every page, fragment and form says when to try again, and no typed word is lost`()
        async throws
    {
        try await PrivatePostgres.with { postgres in
            try await WorkbenchSite.run(configure: {
                $0.database = SecretString(postgres.url)
                $0.databaseSeconds = 2
                $0.stopSeconds = 3
            }) { site in
                let path = "/workbench/e/harbor/settings/environments"
                let admin = try await site.signedIn(.admin)
                let typed = [("newName", "Harbor by night")]
                try postgres.pause()
                defer { postgres.resume() }
                let form = try await admin.post("\(path)/rename", typed)
                let answers = [
                    try await admin.get(path), try await admin.get("/workbench/sign-in"), form,
                    try await admin.get(path, headers: ["Inlay-Fragment": "stream"]),
                    try await admin.post("\(path)/rename", typed, headers: ["Inlay-Fragment": "parts"]),
                ]
                for answer in answers {
                    #expect(answer.status == 503 && answer.body.contains("The server is not available."))
                    let seconds = try #require(answer.header("retry-after").flatMap { Int($0) })
                    #expect((1...60).contains(seconds))
                }
                #expect(form.body.contains("Send again"))
                let fields = PageForm.fields(form.body)
                #expect(fields.contains { $0 == typed[0] })
                postgres.resume()
                try await eventually(within: .seconds(120)) {
                    try await admin.postRaw("\(path)/rename", fields).status == 303
                }
                #expect(try await admin.get(path).body.contains("Harbor by night"))
            }
        }
    }
}
