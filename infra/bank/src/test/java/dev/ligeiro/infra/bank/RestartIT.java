package dev.ligeiro.infra.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the bank has answered is there after a crash, and no money moves twice. */
class RestartIT {

    private static final Pattern UP = Pattern.compile("at (https://\\S+), its control port at (http://\\S+)");
    private static final String RECEIVER = "{\"chave\":\"maria@example.com\"}";

    private final Path home;

    RestartIT(@TempDir Path home) {
        this.home = home;
    }

    @Test
    void killedBankKeepsWhatItAnswered() throws Exception {
        Path output = home.resolve("bank.out");
        Process process = start(output);
        Customer customer = Customer.of(place(output));
        Set<String> answered = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            threads.execute(() -> payUntilTheBankIsGone(customer, answered));
        }
        await().until(() -> answered.size() > 50);
        process.destroyForcibly().waitFor();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        try (Bank bank = Bank.start(new BankSettings(home))) {
            assertThat(ledger(Customer.of(bank), "in")).containsAll(answered).doesNotHaveDuplicates();
        }
    }

    private static void payUntilTheBankIsGone(Customer customer, Set<String> answered) {
        try {
            while (true) {
                answered.add(customer.paidPix());
            }
        } catch (RuntimeException e) {
            // it is gone
        }
    }

    /** Starts {@link Bank#main} as {@code infra/run} does. */
    private Process start(Path output) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Bank.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("BANK_HOME", home.toString());
        builder.environment().put("BANK_PORT", "0");
        builder.environment().put("BANK_CONTROL_PORT", "0");
        return builder.start();
    }

    private Customer.Place place(Path output) throws IOException {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> UP.matcher(Files.readString(output)).find());
        Matcher up = UP.matcher(Files.readString(output));
        assertThat(up.find()).isTrue();
        BankSettings settings = new BankSettings(home);
        return new Customer.Place(
                up.group(1),
                up.group(2),
                home.resolve("ca.pem"),
                new Bank.IssuedCertificate(home.resolve("ligeiro.pem"), home.resolve("ligeiro.key")),
                settings.clientId,
                Files.readString(home.resolve("client-secret")),
                settings.pixKey);
    }

    @Test
    void openRefundsAndSendsAreSettledAfterAStart() {
        String refundPath;
        String sendId = Customer.id();
        try (Bank bank = Bank.start(new BankSettings(home).settlesAfter(Duration.ofHours(1)))) {
            Customer customer = Customer.of(bank);
            customer.put("/webhook/" + bank.pixKey(), "{\"webhookUrl\":\"https://localhost:1/\"}");
            refundPath = "/pix/" + customer.paidPix() + "/devolucao/a";
            customer.put(refundPath, "{\"valor\":\"1.00\"}");
            customer.sendPix(sendId, "2.00", RECEIVER);
        }
        try (Bank bank = Bank.start(new BankSettings(home).settlesAfter(Duration.ofMillis(20)))) {
            Customer customer = Customer.of(bank);
            await().untilAsserted(() ->
                    assertThat(customer.get(refundPath).text("status")).isEqualTo("DEVOLVIDO"));
            await().untilAsserted(() ->
                    assertThat(customer.getSent(sendId).text("status")).isEqualTo("REALIZADO"));
            assertThat(customer.sendPix(sendId, "2.00", RECEIVER).reason()).isEqualTo("id_envio_duplicado");
            assertThat(ledger(customer, "out")).hasSize(1);
            assertThat(ledger(customer, "refund")).hasSize(1);
        }
    }

    @Test
    void lineThatWasNotWrittenWholeIsCutOff() throws IOException {
        String txid = Customer.id();
        try (Bank bank = Bank.start(new BankSettings(home))) {
            Customer.of(bank).put("/cob/" + txid, Customer.of(bank).charge());
        }
        Files.writeString(home.resolve("journal.jsonl"), "[{\"kind\":\"charge\",\"tx", StandardOpenOption.APPEND);
        try (Bank bank = Bank.start(new BankSettings(home))) {
            Customer customer = Customer.of(bank);
            assertThat(customer.get("/cob/" + txid).status()).isEqualTo(200);
            customer.paidPix();
        }
        try (Bank bank = Bank.start(new BankSettings(home))) {
            assertThat(ledger(Customer.of(bank), "in")).hasSize(1);
        }
    }

    /** The end-to-end ids of all pages. */
    private static List<String> ledger(Customer customer, String direction) {
        List<String> ids = new ArrayList<>();
        String after = "";
        do {
            JsonNode page =
                    customer.control("GET", "/ledger?after=" + after, "").body();
            page.path("entries")
                    .valueStream()
                    .filter(entry -> entry.path("direction").asString("").equals(direction))
                    .forEach(entry -> ids.add(entry.path("e2e_id").asString("")));
            after = page.path("next_cursor").asString("");
        } while (!after.isEmpty());
        return ids;
    }
}
