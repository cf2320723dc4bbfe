package dev.ligeiro.gateway.checkout;

import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;

/**
 * The checkout page as HTML: amount, status, and the BR Code while the transaction is payable. It contains no personal data.
 */
final class CheckoutPage {

    private final String payable = page("payable.html");
    private final String closed = page("closed.html");
    private final String missing = page("missing.html");

    String of(Transaction transaction) {
        boolean canBePaid = transaction.status() == Status.PENDING;
        String page = (canBePaid ? payable : closed)
                .replace("{{amount}}", amount(transaction.terms().amount()))
                .replace("{{status}}", status(transaction.status()));
        return canBePaid ? withCode(page, transaction.terms().brCode()) : page;
    }

    String notFound() {
        return missing;
    }

    /** Inserted last: the BR Code contains the merchant's name, which could contain another placeholder. */
    private static String withCode(String page, @Nullable String brCode) {
        String code = brCode == null ? "" : brCode;
        return page.replace("{{image}}", QrCodeImage.dataUri(code)).replace("{{code}}", HtmlUtils.htmlEscape(code));
    }

    /** Brazilian: {@code R$ 1.234,56}. */
    private static String amount(Amount amount) {
        return "R$ " + String.format(Locale.ROOT, "%,d", amount.cents() / 100).replace(',', '.')
                + String.format(Locale.ROOT, ",%02d", amount.cents() % 100);
    }

    private static String status(Status status) {
        return switch (status) {
            case PENDING -> "Aguardando pagamento";
            case PAID -> "Pago";
            case DENIED -> "Negado";
            case CANCELED -> "Cancelado";
            case REFUND -> "Devolvido";
            case IN_PROCESS -> "Em processamento";
            case IN_ANALYSIS -> "Em análise";
            case EXPIRED -> "Expirado";
        };
    }

    private static String page(String content) {
        return template("frame.html").replace("{{content}}", template(content));
    }

    private static String template(String name) {
        try (InputStream in = CheckoutPage.class.getResourceAsStream("/checkout/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
