import Foundation
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct SubjectPublicKeyInfoTests {
    /// A certificate with the pin that another program computed for it.
    struct PinSample: Sendable {
        let certificate: String
        let pin: String
    }

    // Made with openssl: `req -x509`, and `pkey -pubin -outform der | dgst -sha256 -binary | base64`.
    static let known = [
        PinSample(
            certificate:
                "MIIBgTCCASegAwIBAgIUEX1seqndhdqGPi39GJHTj1t0jhwwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKaW5sYXku"
                + "dGVzdDAgFw0yNjExMjEwMzE5NTRaGA8yMTI2MTAyODAzMTk1NFowFTETMBEGA1UEAwwKaW5sYXkudGVzdDBZMBMG"
                + "ByqGSM49AgEGCCqGSM49AwEHA0IABFnUqoZjLamZ+kaP0Tg8ikt4BZnHumD6rvMbPHK2MlYfS2TI5hJ99sohS64F"
                + "6nf7tMZ/5uMkv6kxQ0OIGpsXrUOjUzBRMB0GA1UdDgQWBBTVOqAQRmOr78vG+cn/Xk8HQPCC4jAfBgNVHSMEGDAW"
                + "gBTVOqAQRmOr78vG+cn/Xk8HQPCC4jAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIBn5cvRxOVni"
                + "f+c/QiHCYHt/3jmP48WsGJ4or/pvFdFWAiEAkp9zinbGCYsG+uQTKlYEREcgTNF1aXaNLS0vE3JKy14=",
            pin: "O37zQa71M5aOryXzwZICOUe9sUlej3TDrTMjjI3VXzg="),
        PinSample(
            certificate:
                "MIIDDTCCAfWgAwIBAgIUOyrJGDc5WON/HH3OGH+fg2IR+wgwDQYJKoZIhvcNAQELBQAwFTETMBEGA1UEAwwKaW5s"
                + "YXkudGVzdDAgFw0yNjExMjEwMzE5NTVaGA8yMTI2MTAyODAzMTk1NVowFTETMBEGA1UEAwwKaW5sYXkudGVzdDCC"
                + "ASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAKZcgtrpPeoyMR+38R1raQc1bcEojpZuTzmY+8+iKGH9jSkn"
                + "cB8qqh45YJN6r7ciRVpbXEHiZUbjqPwQG8NoGr3OhkEPa0wg3k+Of00trhK/YtAxHnxfMTvoOPit2E4SCRGlYiLA"
                + "UeOVfW7OccgsCII1Z7wGb3AQTsyFt5WqvxQbaga8HlJUsv1IfTwnkv5rd9806OAai7N43h3HavQ6mZr+WStYroUH"
                + "wyy94bH8ph0Qx8EFAYFtNF7a2vA+92dxg1R1HABMGsSvzKO2ROdCHxDpyQVY6OhTuq6W/PR+fN6GgfrF0AMgi5++"
                + "BCds8ITGdbw4WzRTmb9GT6aMqhsNgl8CAwEAAaNTMFEwHQYDVR0OBBYEFCRw75L02EZ634p3FkxQcIDG48AMMB8G"
                + "A1UdIwQYMBaAFCRw75L02EZ634p3FkxQcIDG48AMMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEB"
                + "AAhFKrdY8bBTM4lr9PfphgGnxa8mEFk54B7GWp46ZIP5RpCF0ViMk9oSu8x2bmOvgKXEccRkjks5OZpH5HRQ4ds1"
                + "rfCMBn+mLDzduMGtwriMxCDoQIBWZN8FGUR4X20x2//oSp2T2+APxbMIZJahx1mcDq8dAPCIV+4AofbjLmI7yfdP"
                + "BCnZZIAy7n0ciuWLtzUPqxW5Chfe5EvjX2O1yg7pkqu0jccS1eXKhiKly3ChMs93D72o/14aBidulthKHNiyTwEv"
                + "mO/o5h6PBHyOE/qOyMMKoTncmdaFf9IM3qnQMP/ipu9aFwMtszOFxZABOD+3qaSwydXEuu30Sod0n2g=",
            pin: "MCTBxlrep9s5Kves1B2LnsH7nyy6sHV8IBSuFx0ChD8="),
    ]

    @Test(arguments: known) func `the pin of a certificate is the digest of its public key info`(
        known: PinSample
    )
        throws
    {
        let certificate = try #require(Data(base64Encoded: known.certificate))
        #expect(CertificatePin(certificateDER: certificate) == (try CertificatePin(sha256: known.pin)))
    }

    @Test func `a certificate that was cut anywhere has no pin, and nothing traps`() throws {
        let certificate = try #require(Data(base64Encoded: Self.known[0].certificate))
        for length in 0..<certificate.count {
            #expect(CertificatePin(certificateDER: certificate.prefix(length)) == nil)
        }
    }

    @Test func `a certificate with any byte changed never traps`() throws {
        let certificate = try #require(Data(base64Encoded: Self.known[0].certificate))
        let pin = try CertificatePin(sha256: Self.known[0].pin)
        var others = 0
        for position in certificate.indices {
            for value in [0x00, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
                var changed = certificate
                changed[position] = value
                if CertificatePin(certificateDER: changed) != pin { others += 1 }
            }
        }
        // Changes before and inside the key change the pin; those in the signature do not.
        #expect(others > 100)
    }
}
