extension VASTReader {
    /// Returns the verifications in an element `AdVerifications`.
    mutating func verifications(_ element: XMLTree) -> [VASTVerification] {
        var all: [VASTVerification] = []
        for child in element.elements where child.vastName == "Verification" {
            guard all.count < limits.files else {
                fault("AdVerifications/Verification", "more than \(limits.files)")
                break
            }
            all.append(verification(child))
        }
        return all
    }

    private mutating func verification(_ element: XMLTree) -> VASTVerification {
        var verification = VASTVerification(vendor: element.attribute("vendor") ?? "")
        for child in element.elements {
            switch child.vastName {
            case "JavaScriptResource":
                let isOptional = child.flag("browserOptional") ?? false
                resource(child, .script(isBrowserOptional: isOptional), into: &verification)
            case "ExecutableResource":
                resource(child, .executable(type: child.attribute("type") ?? ""), into: &verification)
            case "VerificationParameters": verification.parameters = child.trimmedText
            case "TrackingEvents":
                for tracking in child.elements
                where tracking.attribute("event") == "verificationNotExecuted" {
                    link(tracking, "Verification/Tracking", event: "verificationNotExecuted") {
                        verification.notExecuted.append($0.address)
                    }
                }
            default: break
            }
        }
        return verification
    }

    private mutating func resource(
        _ element: XMLTree, _ kind: VASTVerification.Kind, into verification: inout VASTVerification
    ) {
        guard verification.resources.count < limits.files else { return }
        address(element, "Verification/Resource") { address in
            verification.resources.append(
                VASTVerification.Resource(
                    address: address, kind: kind, apiFramework: element.attribute("apiFramework")))
        }
    }
}
