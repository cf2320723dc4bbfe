package dev.ligeiro.infra.bank;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a bank is started with. Everything has a default except the home directory; each method changes one setting. */
public final class BankSettings {

    final Path home;
    int port;
    int controlPort;
    String clientId = "ligeiro";
    String pixKey = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
    int callsAtOnceMax = 20;
    int keyLookupsPerMinute = 6_000;
    Duration settlesAfter = Duration.ofMillis(500);
    Duration tokenLife = Duration.ofHours(1);
    Duration delayMax = Duration.ofSeconds(8);
    boolean webhookUrlsChecked;
    boolean payersInNotices = true;
    List<String> serverNames = Bank.LOCAL;

    /** @param home keeps certificates, secret and journal; a bank that is started there again goes on where it was */
    public BankSettings(Path home) {
        this.home = home;
    }

    /** The port of the Pix API; 0, the default, for a free one. */
    public BankSettings port(int value) {
        port = value;
        return this;
    }

    /** The port of {@link ControlServer}; 0, the default, for a free one. */
    public BankSettings controlPort(int value) {
        controlPort = value;
        return this;
    }

    /** The OAuth2 client id of the only customer, also the name in its certificate. */
    public BankSettings clientId(String value) {
        clientId = value;
        return this;
    }

    /** The Pix key of the customer's account. */
    public BankSettings pixKey(String value) {
        pixKey = value;
        return this;
    }

    /** Calls of the account that run at once; the default is 20. A call above it is refused with 429. */
    public BankSettings callsAtOnceMax(int value) {
        callsAtOnceMax = value;
        return this;
    }

    /** Tokens that each key bucket gets a minute, and its size; the default is 6,000. A send takes one, an unknown key 20. */
    public BankSettings keyLookupsPerMinute(int value) {
        keyLookupsPerMinute = value;
        return this;
    }

    /** Time until a send or a refund is final; the default is 500 ms. */
    public BankSettings settlesAfter(Duration value) {
        settlesAfter = value;
        return this;
    }

    /** Life of an access token; the default is one hour. */
    public BankSettings tokenLife(Duration value) {
        tokenLife = value;
        return this;
    }

    /** Longest delay of the faults that delay; the default is 8 s. */
    public BankSettings delayMax(Duration value) {
        delayMax = value;
        return this;
    }

    /** Calls a webhook URL twice before it is registered, as Efí does; without a certificate it must refuse. Off by default. */
    public BankSettings webhookUrlsChecked(boolean value) {
        webhookUrlsChecked = value;
        return this;
    }

    /** Names the payer in notices, as Efí does for a key that is set so; the default is true. No other answer names the payer. */
    public BankSettings payersInNotices(boolean value) {
        payersInNotices = value;
        return this;
    }

    /** The names in the server's certificate; the default is localhost and 127.0.0.1. Only the first start in a home directory uses them. */
    public BankSettings serverNames(String... values) {
        serverNames = List.of(values);
        return this;
    }
}
