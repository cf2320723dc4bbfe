package dev.ligeiro.gateway.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * What a webhook URL may be at registration: https to a host name. A literal address must be in an allowed network, and plain
 * http is only for installations that allow a network. What a name resolves to is checked by the dispatcher at each delivery,
 * since it can change.
 */
@Component
class EndpointUrl {

    private static final int LENGTH_MAX = 2_000;
    /** All that some resolver reads as an IPv4 address: dotted, one number, octal, hex. */
    private static final Pattern NUMERIC_HOST = Pattern.compile("(0x[0-9a-f]*|[0-9]+)(\\.(0x[0-9a-f]*|[0-9]+))*\\.?");

    /** No leading zeros: one resolver reads 010.0.0.1 as 10.0.0.1, another as 8.0.0.1. */
    private static final Pattern IPV4 = Pattern.compile("((0|[1-9][0-9]{0,2})\\.){3}(0|[1-9][0-9]{0,2})");

    private static final Pattern NAME =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private final AllowedNetworks allowed;

    EndpointUrl(WebhookProperties properties) {
        this.allowed = AllowedNetworks.parse(properties.allowedNetworks());
    }

    /** The URL as it will be called; its {@link IllegalArgumentException} says what was expected. */
    String check(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("expected at most " + LENGTH_MAX + " characters");
        }
        URI url = parse(text);
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("expected a URL without user information");
        }
        if (url.getRawFragment() != null) {
            throw new IllegalArgumentException("expected a URL without a fragment");
        }
        checkScheme(url);
        checkHost(url);
        return url.toASCIIString();
    }

    private static URI parse(String text) {
        try {
            URI url = new URI(text);
            if (url.getScheme() != null && url.getHost() != null && url.getPort() != 0 && url.getPort() <= 65_535) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            // falls through to the one message
        }
        throw new IllegalArgumentException("expected an absolute URL such as https://example.com/webhooks");
    }

    private void checkScheme(URI url) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && !allowed.isEmpty())) {
            throw new IllegalArgumentException("expected a URL that starts with https://");
        }
    }

    private void checkHost(URI url) {
        String host = url.getHost().toLowerCase(Locale.ROOT);
        boolean literal = host.startsWith("[") || NUMERIC_HOST.matcher(host).matches();
        if (literal && !(isCanonicalLiteral(host) && allowed.contain(host))) {
            throw new IllegalArgumentException("expected a host name, not an address");
        }
        if (!literal && !NAME.matcher(host).matches()) {
            throw new IllegalArgumentException("expected a host name of letters, digits, dots and hyphens");
        }
        if (host.equals("localhost") && allowed.isEmpty()) {
            throw new IllegalArgumentException("expected a host that is reachable from outside");
        }
    }

    private static boolean isCanonicalLiteral(String host) {
        return host.startsWith("[") || IPV4.matcher(host).matches();
    }
}
