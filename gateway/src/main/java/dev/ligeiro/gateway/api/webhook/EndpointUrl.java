package dev.ligeiro.gateway.api.webhook;

import dev.ligeiro.webhook.AllowedNetworks;
import dev.ligeiro.webhook.IpLiteral;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Checks a webhook URL at registration: https to a host name. An IP address must be in an allowed network, and plain http is
 * accepted only by installations that allow a network. The dispatcher checks the addresses of a name at each delivery, since they
 * can change.
 */
@Component
class EndpointUrl {

    private static final int LENGTH_MAX = 2_000;
    private static final int PORT_MAX = 65_535;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    /** Every notation that resolvers read as an IPv4 address: dotted, one number, octal, hexadecimal. */
    private static final Pattern NUMERIC_HOST = Pattern.compile("(0x[0-9a-f]*|[0-9]+)(\\.(0x[0-9a-f]*|[0-9]+))*\\.?");

    /** Labels of at most 63 letters, digits and hyphens (RFC 1123 §2.1). */
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    private static final Pattern NAME = Pattern.compile("(?=.{1,253}$)" + LABEL + "(\\." + LABEL + ")*");

    private final AllowedNetworks allowed;

    /**
     * @param allowedNetworks internal addresses and networks that webhooks may call, plain http included; the dispatcher has the same
     *     setting and enforces it. A malformed one stops the start
     */
    @ConfigurationProperties("ligeiro.webhook")
    record EndpointProperties(@DefaultValue List<String> allowedNetworks) {

        EndpointProperties {
            AllowedNetworks.parse(allowedNetworks);
        }
    }

    EndpointUrl(EndpointProperties properties) {
        this.allowed = AllowedNetworks.parse(properties.allowedNetworks());
    }

    /**
     * The URL in the form in which the dispatcher calls it.
     *
     * @throws IllegalArgumentException with the expected form as its message
     */
    String check(String text) {
        URI url = parse(checkedLength(text));
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException("expected a URL without user information");
        }
        if (url.getRawFragment() != null) {
            throw new IllegalArgumentException("expected a URL without a fragment");
        }
        checkScheme(url);
        checkPort(url);
        checkHost(url);
        // an encoded character is up to nine times as long
        return checkedLength(url.toASCIIString());
    }

    /** Whether both name the same server: scheme, host and port. */
    static boolean haveSameOrigin(String checked, String other) {
        URI one = URI.create(checked);
        URI two = URI.create(other);
        return one.getScheme().equalsIgnoreCase(two.getScheme())
                && one.getHost().equalsIgnoreCase(two.getHost())
                && port(one) == port(two);
    }

    private static int port(URI url) {
        return url.getPort() >= 0 ? url.getPort() : url.getScheme().equalsIgnoreCase("https") ? HTTPS : HTTP;
    }

    private static String checkedLength(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException("expected at most " + LENGTH_MAX + " characters, percent-encoded");
        }
        return text;
    }

    private static URI parse(String text) {
        // half a surrogate pair has no percent-encoding
        if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            try {
                URI url = new URI(text);
                if (url.getScheme() != null && url.getRawAuthority() != null) {
                    return url;
                }
            } catch (URISyntaxException malformed) {
                // falls through to the one message
            }
        }
        throw new IllegalArgumentException(
                "expected an absolute URL such as https://example.com/webhooks, special characters percent-encoded");
    }

    private void checkScheme(URI url) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && !allowed.isEmpty())) {
            throw new IllegalArgumentException("expected a URL that starts with https://");
        }
    }

    private static void checkPort(URI url) {
        if (url.getPort() == 0
                || url.getPort() > PORT_MAX
                || url.getRawAuthority().endsWith(":")) {
            throw new IllegalArgumentException("expected a port from 1 to " + PORT_MAX);
        }
    }

    private void checkHost(URI url) {
        // Java finds no host in other authorities, such as a non-ASCII name or one whose last label begins with a digit
        String host =
                url.getHost() == null ? url.getRawAuthority() : url.getHost().toLowerCase(Locale.ROOT);
        boolean literal = host.startsWith("[") || NUMERIC_HOST.matcher(host).matches();
        if (literal && !isAllowed(host)) {
            throw new IllegalArgumentException("expected a host name, not an address");
        }
        if (url.getHost() == null || !literal && !NAME.matcher(host).matches()) {
            throw new IllegalArgumentException("expected a host name of letters, digits, dots between them and hyphens;"
                    + " an internationalised name in its form xn--…");
        }
        if (host.equals("localhost") && allowed.isEmpty()) {
            throw new IllegalArgumentException("expected a host that is reachable from outside");
        }
    }

    /** A URL encloses an IPv6 address in brackets (RFC 3986 §3.2.2). */
    private boolean isAllowed(String literalHost) {
        String literal = literalHost.startsWith("[") ? literalHost.substring(1, literalHost.length() - 1) : literalHost;
        return IpLiteral.parse(literal).filter(allowed::contains).isPresent();
    }
}
