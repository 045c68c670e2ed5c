"""Words of links without a meaning: "here", "link", "read more". Each language has a line or two; ``|`` separates them.

They are compared without case and punctuation. Sites are among them because "YouTube" does not name a video.
"""

from __future__ import annotations

_EMPTY = """
en: a|an|and|another|both|here|over here|right here|click here|tap here|press here|see here|go here|link|links
en: the link|this|that|it|these|those|one|two|this link|this one|this page|this site|this post|this article
en: this video|this paper|this talk|this thread|this tweet|this episode|this pr|this issue|this book|that one
en: via|source|sources|see|more|read|read more|see more|learn more|more info|more information|find out more
en: more details|details|info|read it|read this|continue reading|full article|full text|article|the article|post
en: the post|blog|blog post|the blog post|video|videos|the video|watch|watch here|watch it|listen|listen here
en: paper|the paper|a paper|pdf|slides|the slides|slide deck|talk|the talk|docs|documentation|the docs|page|web page
en: webpage|website|web site|site|the website|homepage|home page|home|web|url|www|http|https|address|tweet
en: thread|repo|repository|code|source code|example|demo|download|download here|mp3|audio|pr|the pr|pull
en: pull request|issue|the issue|commit|ticket|bug|question|answer|book|course|event|announcement|news|comment
en: reference|references|ref|note|notes|show notes|transcript|discussion|spec|blogpost|on github|issue tracker
en: wikipedia article|wikipedia page|git|rss|subscribe|follow|sign up|register|join|buy|buy here|order|get it
en: get it here|resources|further reading|reading list|see also|related|related links|useful links|mentioned
en: links and notes|more reading|credits|sponsors|sponsor|contact|follow us|other|others|misc|topics|news
de: hier|hier klicken|klick hier|link|der link|dieser link|mehr|mehr lesen|weiterlesen|mehr dazu|mehr infos
de: quelle|siehe|artikel|der artikel|beitrag|webseite|website|seite|zur website|anhören|ansehen|dieser artikel
de: dieses video|folge
fr: ici|cliquez ici|par ici|lien|le lien|ce lien|en savoir plus|lire la suite|voir|voir ici|source|plus|site
fr: article|cet article
es: aquí|aqui|haz clic aquí|pincha aquí|enlace|el enlace|este enlace|leer más|más|más información|ver|ver más
es: fuente|artículo
pt: aqui|clique aqui|link|este link|saiba mais|leia mais|mais|mais informações|veja|ver|fonte|artigo|site
ru: тут|здесь|вот|вот тут|вот здесь|ссылка|ссылки|по ссылке|сюда|подробнее|подробности|читать|читать далее
ru: источник|ещё|еще|статья|пост|видео|сайт|страница|эта статья|это|этот|эта|тыц|клик|пруф
ja: こちら|ここ|これ|この記事|この動画|リンク|詳細|詳しくはこちら|続きを読む|こちらから|記事|動画|サイト|出典
ja: ソース|公式サイト
zh: 这里|這裡|此处|此處|链接|連結|点击这里|點擊這裡|这个链接|更多|查看|阅读更多|详情|原文|来源|文章|视频
he: כאן|פה|לחצו כאן|קישור|הקישור|לינק|עוד|קרא עוד|קראו עוד|מקור|באתר|אתר|מאמר
"""
_SITES = """
amazon|apple podcasts|arxiv|bluesky|discord|dropbox|facebook|flickr|github|gitlab|gist|google docs|google drive
hacker news|hn|instagram|itunes|linkedin|mastodon|medium|overcast|patreon|pinterest|reddit|slack|soundcloud|spotify
stack overflow|stackoverflow|substack|telegram|threads|tiktok|twitch|twitter|vimeo|whatsapp|wikipedia|x|youtube
openreview
"""
EMPTY = frozenset(
    word for line in _EMPTY.strip().splitlines() for word in line.partition(": ")[2].split("|")
)  # fmt: skip
SITES = frozenset(_SITES.strip().replace("\n", "|").split("|"))
