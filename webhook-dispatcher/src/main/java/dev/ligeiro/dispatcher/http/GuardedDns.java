package dev.ligeiro.dispatcher.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves a host once per connection and returns only the addresses that {@link AddressRules} allows. The client connects to
 * these addresses, so DNS rebinding has no effect. Literal addresses are checked here too, in every notation that the JDK parses.
 */
final class GuardedDns implements DnsResolver {

    /** No address of the host is allowed. The client's connector handles no other exception of a resolver than {@link UnknownHostException}. */
    static final class RefusedAddressException extends UnknownHostException {

        private static final long serialVersionUID = 1L;

        private RefusedAddressException() {
            super("every address of the host is refused");
        }
    }

    private final DnsResolver dns;
    private final AddressRules rules;
    private final boolean tls;

    GuardedDns(DnsResolver dns, AddressRules rules, boolean tls) {
        this.dns = dns;
        this.rules = rules;
        this.tls = tls;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] addresses = dns.resolve(host);
        InetAddress[] allowed = Arrays.stream(addresses)
                .filter(address -> rules.allows(address, tls))
                .toArray(InetAddress[]::new);
        if (allowed.length == 0) {
            throw new RefusedAddressException();
        }
        return allowed;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
