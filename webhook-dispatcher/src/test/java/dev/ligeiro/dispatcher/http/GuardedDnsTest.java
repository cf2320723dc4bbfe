package dev.ligeiro.dispatcher.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.webhook.AllowedNetworks;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.Test;

class GuardedDnsTest {

    private static final AddressRules RULES = new AddressRules(AllowedNetworks.parse(List.of()));

    @Test
    void everyAddressOfAHostIsChecked() throws Exception {
        assertThat(resolve(true, "1.1.1.1", "10.0.0.1", "8.8.8.8"))
                .containsExactly(InetAddress.getByName("1.1.1.1"), InetAddress.getByName("8.8.8.8"));
    }

    @Test
    void aHostWithNoAllowedAddressIsRefused() {
        assertThatThrownBy(() -> resolve(true, "10.0.0.1", "::1"))
                .isInstanceOf(GuardedDns.RefusedAddressException.class)
                .hasMessage("every address of the host is refused");
    }

    @Test
    void aPublicHostIsRefusedWithoutTls() {
        assertThatThrownBy(() -> resolve(false, "1.1.1.1"))
                .isInstanceOf(GuardedDns.RefusedAddressException.class)
                .hasMessage("every address of the host is refused");
    }

    private static InetAddress[] resolve(boolean tls, String... records) throws UnknownHostException {
        return new GuardedDns(records(records), RULES, tls).resolve("merchant.example");
    }

    static DnsResolver records(String... records) {
        return new DnsResolver() {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                InetAddress[] addresses = new InetAddress[records.length];
                for (int i = 0; i < records.length; i++) {
                    addresses[i] = InetAddress.getByName(records[i]);
                }
                return addresses;
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host + Arrays.toString(records);
            }
        };
    }
}
