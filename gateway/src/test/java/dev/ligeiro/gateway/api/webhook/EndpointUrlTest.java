package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointUrlTest {

    private final EndpointUrl strict = new EndpointUrl(new EndpointUrl.EndpointProperties(List.of()));
    private final EndpointUrl loopback =
            new EndpointUrl(new EndpointUrl.EndpointProperties(List.of("127.0.0.0/8", "::1/128")));

    @ParameterizedTest
    @CsvSource({
        "https://example.com,                        https://example.com",
        "https://example.com/,                       https://example.com/",
        "https://example.com:8443/hooks?a=b&c=%20,   https://example.com:8443/hooks?a=b&c=%20",
        "HTTPS://Example.COM/Hooks,                  HTTPS://Example.COM/Hooks",
        "https://xn--exmple-cua.com/,                https://xn--exmple-cua.com/",
        "https://a.b-c.d--e.example.com/,            https://a.b-c.d--e.example.com/",
        "https://example.com/caf\u00e9,              https://example.com/caf%C3%A9",
        "https://example.com:1/,                     https://example.com:1/",
        "https://example.com:65535/,                 https://example.com:65535/",
        "https://10.example.com/,                    https://10.example.com/",
    })
    void httpsToAHostNameIsAccepted(String given, String called) {
        assertThat(strict.check(given)).isEqualTo(called);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "//example.com/",
                "https:/example.com",
                "https://",
                "https:example.com",
                "https://exa mple.com/",
                "https://example.com/a b",
                "https://example.com/\ud800",
                "https://example.com/\udc00\ud800",
                "https://example.com/%zz",
                "https://example.com/\n",
                "https://example.com\\@evil.com/",
                "https://例え.jp/",
                "https://example。com/",
                "https://example.com:99999999999/",
                "https://example.com:-1/",
                "https://example.com:+443/",
                "https://.example.com/",
                "https://example.123/",
                "https://foo.0x7f/",
                "https://1.2.3.4.5/",
                "https://-example.com/",
                "https://example..com/",
                "https://hooks_1.example.com/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "https://user:secret@example.com/",
                "https://@example.com/",
                "https://example.com/#",
                "https://localhost/",
                "https://LOCALHOST:8443/"
            })
    void otherUrlsAreRefused(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> strict.check(url)).withMessageStartingWith("expected ");
    }

    /** Decimal, octal, hexadecimal and short notations, each of which some resolver reads as an address. */
    @Test
    void anAddressIsRefused() {
        assertThat(("8.8.8.8 127.0.0.1 127.0.0.1. 127.1 2130706433 017700000001 0177.0.0.1 0x7f000001 0x7f.0.0.1"
                                + " 0x7f.1 0X7F.0.0.1 0 0.0.0.0 169.254.169.254 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1]"
                                + " [64:ff9b::7f00:1] [::ffff:0:10.0.0.1] [2002:a00:1::] [fe80::1%25eth0] [2001:db8::1] 127.0.0.1%2f"
                                + " ①②⑦.0.0.1")
                        .split(" "))
                .allSatisfy(host -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> strict.check("https://" + host + "/"))
                        .withMessageStartingWith("expected "));
    }

    @Test
    void anAllowedNetworkMayUsePlainHttp() {
        assertThat(("http://127.0.0.1:9000/hooks https://127.255.255.254/ http://[::1]:9000/ http://[0:0:0:0:0:0:0:1]/"
                                + " http://[::ffff:127.0.0.1]/ http://localhost:9000/ https://example.com/")
                        .split(" "))
                .allSatisfy(url -> assertThat(loopback.check(url)).isEqualTo(url));
    }

    @Test
    void otherUrlsAreRefusedBesideAnAllowedNetwork() {
        assertThat(("http://128.0.0.1/ http://10.0.0.1/ http://[::2]/ http://[64:ff9b::7f00:1]/"
                                + " http://[::ffff:10.0.0.1]/ http://2130706433/ http://127.1/ http://127.0.0.256/ ftp://127.0.0.1/")
                        .split(" "))
                .allSatisfy(url -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> loopback.check(url))
                        .withMessageStartingWith("expected "));
    }

    /** One resolver reads 010.0.0.1 as 10.0.0.1, another as 8.0.0.1. */
    @Test
    void anAddressWithALeadingZeroIsRefused() {
        EndpointUrl ten = new EndpointUrl(new EndpointUrl.EndpointProperties(List.of("10.0.0.0/8")));

        assertThat(ten.check("http://10.0.0.1/")).isEqualTo("http://10.0.0.1/");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ten.check("http://010.0.0.1/"))
                .withMessageStartingWith("expected ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ten.check("http://10.00.0.1/"))
                .withMessageStartingWith("expected ");
    }

    @Test
    void aUrlHasAtMost2000Characters() {
        String start = "https://example.com/";

        assertThat(strict.check(start + "x".repeat(2_000 - start.length()))).hasSize(2_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> strict.check(start + "x".repeat(2_001 - start.length())))
                .withMessage("expected at most 2000 characters, percent-encoded");
    }

    /** An encoded character is up to nine times as long. */
    @Test
    void theLengthIsThatOfTheEncodedUrl() {
        assertThat(strict.check("https://example.com/" + "\u00e9".repeat(330))).hasSize(2_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> strict.check("https://example.com/" + "\u00e9".repeat(331)))
                .withMessage("expected at most 2000 characters, percent-encoded");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example.com               | expected an absolute URL such as https://example.com/webhooks",
                "https://example.com/a{b   | expected an absolute URL such as https://example.com/webhooks, special characters",
                "https://ex\u00e4mple.com/ | internationalised name in its form xn--",
                "https://a_b.example.com/  | expected a host name of letters, digits, dots between them and hyphens",
                "https://example.com./     | expected a host name of letters, digits, dots between them and hyphens",
                "https://example.com:0/    | expected a port from 1 to 65535",
                "https://example.com:/     | expected a port from 1 to 65535",
                "https://example.com:65536 | expected a port from 1 to 65535",
                "https://[::1]/            | expected a host name, not an address",
                "https://a@example.com/    | expected a URL without user information",
                "https://example.com/#a    | expected a URL without a fragment",
                "http://example.com/       | expected a URL that starts with https://",
            })
    void theMessageSaysWhatIsExpected(String url, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> strict.check(url)).withMessageContaining(message);
    }

    @Test
    void aLabelHasAtMost63Characters() {
        String url = "https://" + "a".repeat(63) + ".example.com/";

        assertThat(strict.check(url)).isEqualTo(url);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> strict.check("https://" + "a".repeat(64) + ".example.com/"));
    }
}
