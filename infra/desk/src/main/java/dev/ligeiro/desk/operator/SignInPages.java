package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The sign-in with a token. */
@Controller
class SignInPages {

    static final String SIGN_IN = "/console/sign-in";

    private final Tokens tokens;
    private final Sessions sessions;
    private final ProviderSettings provider;

    SignInPages(Tokens tokens, Sessions sessions, ProviderSettings provider) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.provider = provider;
    }

    /** @param failed why the last try failed, such as {@code provider}; null before the first one */
    @GetMapping(SIGN_IN)
    ModelAndView ask(
            @RequestParam(required = false) @Nullable String back,
            @RequestParam(required = false) @Nullable String failed) {
        return page(back, failed, failed == null ? HttpStatus.OK : HttpStatus.FORBIDDEN);
    }

    @PostMapping(SIGN_IN)
    ModelAndView signIn(
            @RequestParam(defaultValue = "") String token,
            @RequestParam(required = false) @Nullable String back,
            HttpServletRequest request) {
        try {
            sessions.begin(tokens.admit(token.strip(), request), request);
        } catch (Problem refused) {
            return page(
                    back,
                    refused.code().code(),
                    refused.code().status() == HttpStatus.UNAUTHORIZED
                            ? HttpStatus.FORBIDDEN
                            : refused.code().status());
        }
        return new ModelAndView(ConsolePath.redirect(back));
    }

    private ModelAndView page(@Nullable String back, @Nullable String failed, HttpStatus status) {
        ModelAndView page = new ModelAndView("operator/sign-in")
                .addObject("back", ConsolePath.of(back))
                .addObject("failed", failed == null ? "" : failed)
                .addObject("hasProvider", provider.hasProvider());
        page.setStatus(status);
        return page;
    }
}
