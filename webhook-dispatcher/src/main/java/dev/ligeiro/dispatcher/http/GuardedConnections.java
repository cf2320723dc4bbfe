package dev.ligeiro.dispatcher.http;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionOperator;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;

/** Builds a connection pool whose connections are opened by {@link GuardedConnector}. */
final class GuardedConnections extends PoolingAsyncClientConnectionManagerBuilder {

    private final AddressRules rules;
    private final DnsResolver dns;
    private final Lookups lookups;

    GuardedConnections(AddressRules rules, DnsResolver dns, Lookups lookups) {
        this.rules = rules;
        this.dns = dns;
        this.lookups = lookups;
    }

    @Override
    protected AsyncClientConnectionOperator createConnectionOperator(
            TlsStrategy tlsStrategy, SchemePortResolver ports, DnsResolver unguarded) {
        return new GuardedConnector(
                super.createConnectionOperator(tlsStrategy, ports, new GuardedDns(dns, rules, false)),
                super.createConnectionOperator(tlsStrategy, ports, new GuardedDns(dns, rules, true)),
                lookups);
    }
}
