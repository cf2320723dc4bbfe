package dev.ligeiro.gateway.http.auth;

import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.webhook.AllowedNetworks;
import dev.ligeiro.webhook.IpLiteral;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The address of the client of a request: that of the connection, unless it is a trusted proxy's. Then it is the last one in {@code
 * X-Forwarded-For} that is not a trusted proxy's: anybody can send the ones before it. Spring's {@code server.forward-headers-strategy}
 * takes the first one, so it is not used here.
 */
@Component
public final class ClientAddress {

    private static final String FORWARDED_FOR = "X-Forwarded-For";

    /** Some proxies add the port. */
    private static final Pattern WITH_PORT = Pattern.compile("\\[(.*)](?::\\d+)?|([0-9.]+):\\d+");

    private final AllowedNetworks proxies;

    public ClientAddress(ProxyProperties properties) {
        this.proxies = properties.proxies();
    }

    /** @throws Problem 403 when the request comes from elsewhere, or a proxy does not tell from where */
    void require(ServerRequest request, AllowedNetworks networks) {
        Optional<InetAddress> client = of(request);
        if (client.filter(networks::contains).isEmpty()) {
            throw Problem.of(
                    ProblemCode.ADDRESS_NOT_ALLOWED,
                    "The API key does not work from "
                            + client.map(InetAddress::getHostAddress).orElse("an unknown address"));
        }
    }

    /** Empty if a trusted proxy does not tell it. */
    public Optional<InetAddress> of(ServerRequest request) {
        HttpServerRequest received =
                ServerHttpRequestDecorator.getNativeRequest(request.exchange().getRequest());
        return received.connectionRemoteAddress() instanceof InetSocketAddress connected
                ? client(connected.getAddress(), received.requestHeaders().getAll(FORWARDED_FOR))
                : Optional.empty();
    }

    /**
     * @param connected the address of the connection
     * @param forwarded the values of {@code X-Forwarded-For}
     * @return empty if a trusted proxy has written something else than an address
     */
    Optional<InetAddress> client(InetAddress connected, List<String> forwarded) {
        List<String> hops = forwarded.stream()
                .flatMap(header -> Stream.of(header.split(",", -1)))
                .map(hop -> WITH_PORT.matcher(hop.strip()).replaceAll("$1$2"))
                .toList();
        InetAddress address = connected;
        for (int i = hops.size() - 1; i >= 0 && proxies.contains(address); i--) {
            Optional<InetAddress> hop = IpLiteral.parse(hops.get(i));
            if (hop.isEmpty()) {
                return hop;
            }
            address = hop.get();
        }
        return Optional.of(address);
    }

    /** @param trusted addresses and networks of proxies. {@code application.yml} explains it */
    @ConfigurationProperties("ligeiro.proxies")
    public record ProxyProperties(@DefaultValue List<String> trusted) {

        public ProxyProperties {
            // a malformed entry stops the start
            parse(trusted);
        }

        AllowedNetworks proxies() {
            return parse(trusted);
        }

        private static AllowedNetworks parse(List<String> entries) {
            return AllowedNetworks.parse("ligeiro.proxies.trusted", entries);
        }
    }
}
