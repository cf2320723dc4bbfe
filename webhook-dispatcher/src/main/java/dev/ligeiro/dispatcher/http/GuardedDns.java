package dev.ligeiro.dispatcher.http;

import dev.ligeiro.webhook.AllowedNetworks;
import dev.ligeiro.webhook.IpLiteral;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;
import org.springframework.boot.http.client.InetAddressFilter;

/**
 * Resolves a host once per connection and returns only the addresses that webhooks may call: public addresses with TLS only, allowed
 * networks with or without TLS. The client connects to these addresses, so DNS rebinding has no effect. Literal addresses are checked here
 * too, in every notation that the JDK parses.
 */
final class GuardedDns implements DnsResolver {

    /**
     * All of IPv4, and of IPv6 the only block that is given out to the Internet (RFC 4291 §2.4), less the special-purpose networks. Spring's
     * filter knows those of RFC 6890. The others are Azure's metadata service and the newer documentation network (RFC 9637).
     */
    private static final InetAddressFilter PUBLIC = InetAddressFilter.externalAddresses()
            .and(InetAddressFilter.adapt(Inet4Address.class::isInstance).or("2000::/3"))
            .andNot("168.63.129.16", "3fff::/20");

    /** No address of the host is allowed. The client's connector handles no other exception of a resolver than {@link UnknownHostException}. */
    static final class RefusedAddressException extends UnknownHostException {

        private static final long serialVersionUID = 1L;

        private RefusedAddressException() {
            super("every address of the host is refused");
        }
    }

    private final DnsResolver dns;
    private final AllowedNetworks networks;
    private final boolean tls;

    GuardedDns(DnsResolver dns, AllowedNetworks networks, boolean tls) {
        this.dns = dns;
        this.networks = networks;
        this.tls = tls;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] allowed = Arrays.stream(dns.resolve(host))
                .filter(address -> allows(networks, address, tls))
                .toArray(InetAddress[]::new);
        if (allowed.length == 0) {
            throw new RefusedAddressException();
        }
        return allowed;
    }

    /** Whether webhooks may connect to {@code address}. */
    static boolean allows(AllowedNetworks networks, InetAddress address, boolean tls) {
        InetAddress unmapped = IpLiteral.unmapped(address);
        return networks.contains(unmapped) || (tls && PUBLIC.matches(unmapped));
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
