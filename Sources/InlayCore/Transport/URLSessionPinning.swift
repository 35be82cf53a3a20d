#if canImport(Darwin)
    import Foundation
    import Security

    extension URLSessionExchanges {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let pins = pins(task), let trust = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            var failure: CFError?
            // Pins come on top of the ordinary checks, never in their place.
            guard SecTrustEvaluateWithError(trust, &failure) else {
                fail(task, .untrusted(failure.map { "\($0)" } ?? "the chain is not valid"))
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            let isPinned = chain.contains { certificate in
                CertificatePin(certificateDER: SecCertificateCopyData(certificate) as Data).map(pins.contains)
                    ?? false
            }
            guard isPinned else {
                fail(task, .pinMismatch)
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            completionHandler(.useCredential, URLCredential(trust: trust))
        }
    }
#endif
