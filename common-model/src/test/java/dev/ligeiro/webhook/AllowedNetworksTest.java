package dev.ligeiro.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AllowedNetworksTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,          10.255.255.255,      true",
        "10.0.0.0/8,          11.0.0.0,            false",
        "10.1.2.3,            10.1.2.3,            true",
        "10.1.2.3,            10.1.2.4,            false",
        "172.16.0.0/12,       172.31.255.255,      true",
        "172.16.0.0/12,       172.32.0.0,          false",
        "192.168.1.128/25,    192.168.1.128,       true",
        "192.168.1.128/25,    192.168.1.127,       false",
        "127.0.0.1/32,        127.0.0.1,           true",
        "127.0.0.1/32,        127.0.0.2,           false",
        "0.0.0.0/0,           8.8.8.8,             true",
        "0.0.0.0/0,           ::1,                 false",
        "::1,                 ::1,                 true",
        "::1/128,             ::2,                 false",
        "fd00::/8,            fdff::1,             true",
        "fd00::/8,            fe00::1,             false",
        "fe80::/10,           febf::1,             true",
        "fe80::/10,           fec0::1,             false",
        "127.0.0.0/8,         ::ffff:127.0.0.1,    true",
        "::ffff:10.0.0.0/104, 10.255.0.1,          true",
        "::ffff:10.0.0.0/104, 11.0.0.1,            false",
        "::ffff:10.1.2.3,     10.1.2.3,            true",
        "::/0,                127.0.0.1,           false",
    })
    void aNetworkContainsTheAddressesWithItsPrefix(String entry, String address, boolean contained) throws Exception {
        assertThat(AllowedNetworks.parse(List.of(entry)).contains(InetAddress.getByName(address)))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#accepted")
    void anAddressOrNetworkIsAccepted(String entry) {
        assertThat(AllowedNetworks.parse(List.of(entry)).networks()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("dev.ligeiro.fixture.NetworkSettings#refused")
    void anythingElseIsRefusedByKeyAndValue(String entry) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedNetworks.parse(List.of(entry)))
                .withMessageStartingWith("ligeiro.webhook.allowed-networks: " + entry + " (expected: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10/8        | an address such as 10.1.2.3 or a network such as 10.0.0.0/8",
                "10.0.0.0/33 | a prefix length from 0 to 32",
                "::1/129     | a prefix length from 0 to 128",
                "10.1.2.3/8  | 10.0.0.0/8, or 10.1.2.3 for that one address",
            })
    void theMessageNamesTheExpectedForm(String entry, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedNetworks.parse(List.of(entry)))
                .withMessage("ligeiro.webhook.allowed-networks: " + entry + " (expected: " + expected + ")");
    }

    @Test
    void blankEntriesAreSkipped() {
        assertThat(AllowedNetworks.parse(List.of("", "  ")).isEmpty()).isTrue();
    }

    /** The JDK unmaps such addresses itself, but not when they are built with a scope. */
    @Test
    void aMappedAddressWithAScopeIsAnIpv4Address() throws Exception {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1};
        InetAddress address = Inet6Address.getByAddress("mapped", mapped, 0);

        assertThat(address).isInstanceOf(Inet6Address.class);
        assertThat(AllowedNetworks.parse(List.of("127.0.0.0/8")).contains(address))
                .isTrue();
    }
}
