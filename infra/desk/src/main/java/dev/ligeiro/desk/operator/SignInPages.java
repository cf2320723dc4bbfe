package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.view.RedirectView;

/** The sign-in with a token, and the list of sessions. */
@Controller
class SignInPages {

    static final String SIGN_IN = "/console/sign-in";

    private final Tokens tokens;
    private final Sessions sessions;
    private final SessionController list;
    private final boolean hasProvider;

    SignInPages(
            Tokens tokens, Sessions sessions, SessionController list, ObjectProvider<ProviderSignIn> providerSignIn) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.list = list;
        this.hasProvider = providerSignIn.getIfAvailable() != null;
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
        RedirectView next = new RedirectView(ConsolePath.of(back), false, false, false);
        next.setExpandUriTemplateVariables(false);
        return new ModelAndView(next);
    }

    /**
     * The page after a sign-in at the provider. A browser that comes from there does not send the session's cookie, which is only for this site;
     * the page leads on, and is of this site.
     */
    @GetMapping(SIGN_IN + "/done")
    ModelAndView done(@RequestParam(required = false) @Nullable String back) {
        return new ModelAndView("operator/signed-in").addObject("back", ConsolePath.of(back));
    }

    private ModelAndView page(@Nullable String back, @Nullable String failed, HttpStatus status) {
        ModelAndView page = new ModelAndView("operator/sign-in")
                .addObject("back", ConsolePath.of(back))
                .addObject("failed", failed == null ? "" : failed)
                .addObject("hasProvider", hasProvider);
        page.setStatus(status);
        return page;
    }

    @GetMapping("/console/sessions")
    ModelAndView sessions() {
        return new ModelAndView("operator/sessions")
                .addObject("sessions", list.list().sessions());
    }
}
