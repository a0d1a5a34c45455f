-- A database of the program before several servers shared one (migration 0002): a match that is finished, one that
-- runs, a table that waits. {"ada": "fnMPJ4iFY_xvAQ-F65Pvm_Ww4yZKnvDsqBCOXik7EUo", "ben": "T49CqMtcK2JGTiuUiLyu9VCGpEE7AvycZ5WCo_itnVY", "running": "/t/RKXA", "finished": "/t/X9CX", "lobby": "/t/DP7E", "version": 12}
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE chat (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	seat INTEGER, 
	name VARCHAR(40) NOT NULL, 
	text VARCHAR(300) NOT NULL, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_chat PRIMARY KEY (id), 
	CONSTRAINT fk_chat_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE matches (
	id INTEGER NOT NULL, 
	code VARCHAR(16) NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	rules_version INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	seed BLOB NOT NULL, 
	commitment VARCHAR(80) NOT NULL, 
	settings TEXT NOT NULL, 
	host INTEGER, 
	status VARCHAR(16) NOT NULL, 
	created FLOAT NOT NULL, 
	started FLOAT NOT NULL, 
	finished FLOAT NOT NULL, 
	due FLOAT, 
	successor VARCHAR(16) NOT NULL, 
	revision INTEGER NOT NULL, clocks TEXT DEFAULT '[]' NOT NULL, zero FLOAT, 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT uq_matches_code UNIQUE (code), 
	CONSTRAINT fk_matches_host_people FOREIGN KEY(host) REFERENCES people (id), 
	CONSTRAINT ck_matches_ck_matches_status CHECK (status IN ('lobby', 'running', 'finished'))
);
INSERT INTO "matches" VALUES(1,'X9CX','reveal',1,'{"deck": "full116", "peeking": "off", "final_unlocks": "no", "final_mode": "open", "final_changes_cap": "changes(10)", "swap_order": "seat", "swap_batch": "yes", "first_dealt": "P0", "reshuffle": "every_hand", "end": "hands(1)", "tie": "draw"}',X'673BD5C5B812321F2ED233134BECB305DB49E693E1EFFA02FEAF53E5EF330CB6','sha256:ecd98c04d5a0939cd5da9861736d19741e56684d52296c970a1aa8af95381842','{"clock": 0, "memory": false, "spectators": true, "hints": false, "increment": 0, "at_zero": "bot", "watchers_talk": false}',1,'finished',1.79561036831103086469e+09,1.79561036836817884449e+09,1.7956103706630139351e+09,NULL,'',35,'[]',NULL);
INSERT INTO "matches" VALUES(2,'RKXA','detect',1,'{"deck": "skyjo150", "initial_discard": "turn_one", "opening_pick": "choose", "later_start": "contest", "set_optional": "no", "set_on_final_reveal": "yes", "ender_tie": "safe", "double_scope": "round_total", "tie": "share"}',X'0991A9618A929F4853F2DD70C7296924297ACCC7787ABF0B1204B3A982C94D7E','sha256:4522cb2f4bd39db465f6f694199d6b549d47d07b8d33ac1665be6e71f4dec310','{"clock": 0, "memory": false, "spectators": true, "hints": false, "increment": 0, "at_zero": "bot", "watchers_talk": false}',1,'running',1.79561037166470098495e+09,1.79561037201845526698e+09,0.0,NULL,'',15,'[]',NULL);
INSERT INTO "matches" VALUES(3,'DP7E','detect',1,'{"deck": "skyjo150", "initial_discard": "turn_one", "opening_pick": "choose", "later_start": "contest", "set_optional": "no", "set_on_final_reveal": "yes", "ender_tie": "safe", "double_scope": "round_total", "tie": "share"}',X'2ECDF744F339B5A7471037EEF6BB6EE87F291C6A9D7C36C530EA155BB2F935DE','sha256:f6d627663540f43bb37cf8bdfb0890cb9c20ba6af288d3b01a72654c09405107','{"clock": 0, "memory": false, "spectators": true, "hints": false, "increment": 0, "at_zero": "bot", "watchers_talk": false}',1,'lobby',1.79561037270134115219e+09,0.0,0.0,NULL,'',0,'[]',NULL);
CREATE TABLE moves (
	match_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	action INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	token VARCHAR(80) NOT NULL, 
	CONSTRAINT pk_moves PRIMARY KEY (match_id, ply), 
	CONSTRAINT uq_moves_token UNIQUE (match_id, seat, token), 
	CONSTRAINT fk_moves_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "moves" VALUES(1,0,1,0,1.79561036842486500741e+09,'bot:0');
INSERT INTO "moves" VALUES(1,1,0,0,1.79561036913187551493e+09,'at:0:0');
INSERT INTO "moves" VALUES(1,2,0,9,1.7956103692085058689e+09,'at:2:9');
INSERT INTO "moves" VALUES(1,3,1,9,1.79561036925981926917e+09,'bot:3');
INSERT INTO "moves" VALUES(1,4,0,0,1.79561036930486607552e+09,'at:4:0');
INSERT INTO "moves" VALUES(1,5,1,0,1.79561036931170630451e+09,'bot:5');
INSERT INTO "moves" VALUES(1,6,0,9,1.79561036933881807333e+09,'at:6:9');
INSERT INTO "moves" VALUES(1,7,1,9,1.795610369348127842e+09,'bot:7');
INSERT INTO "moves" VALUES(1,8,0,0,1.79561036947691202159e+09,'at:8:0');
INSERT INTO "moves" VALUES(1,9,1,0,1795610369.4856,'bot:9');
INSERT INTO "moves" VALUES(1,10,0,9,1.79561036950518941885e+09,'at:10:9');
INSERT INTO "moves" VALUES(1,11,1,9,1.79561036951552772519e+09,'bot:11');
INSERT INTO "moves" VALUES(1,12,1,15,1.7956103695305233002e+09,'bot:12');
INSERT INTO "moves" VALUES(1,13,0,15,1.79561036953604626648e+09,'at:12:15');
INSERT INTO "moves" VALUES(1,14,1,15,1.79561036960244321822e+09,'bot:14');
INSERT INTO "moves" VALUES(1,15,0,16,1.79561036962098217011e+09,'at:14:16');
INSERT INTO "moves" VALUES(1,16,1,15,1.79561036964044785499e+09,'bot:16');
INSERT INTO "moves" VALUES(1,17,0,15,1.79561036966084527962e+09,'at:16:15');
INSERT INTO "moves" VALUES(1,18,1,15,1.79561036967782473566e+09,'bot:18');
INSERT INTO "moves" VALUES(1,19,1,15,1.79561036979344630236e+09,'bot:19');
INSERT INTO "moves" VALUES(1,20,0,16,1.79561036980376148228e+09,'at:18:16');
INSERT INTO "moves" VALUES(1,21,1,15,1.79561036983209824568e+09,'bot:21');
INSERT INTO "moves" VALUES(1,22,1,15,1.79561036989597129823e+09,'bot:22');
INSERT INTO "moves" VALUES(1,23,0,15,1.79561036991838526722e+09,'at:21:15');
INSERT INTO "moves" VALUES(1,24,1,15,1.79561036994634723668e+09,'bot:24');
INSERT INTO "moves" VALUES(1,25,1,15,1.79561037000165176391e+09,'bot:25');
INSERT INTO "moves" VALUES(1,26,0,16,1.79561037007459783554e+09,'at:24:16');
INSERT INTO "moves" VALUES(1,27,1,15,1.79561037009102249144e+09,'bot:27');
INSERT INTO "moves" VALUES(1,28,1,15,1.79561037010081887247e+09,'bot:28');
INSERT INTO "moves" VALUES(1,29,0,15,1795610370.10479,'at:27:15');
INSERT INTO "moves" VALUES(1,30,0,16,1.79561037011968946449e+09,'at:30:16');
INSERT INTO "moves" VALUES(1,31,0,15,1.79561037012403941154e+09,'at:31:15');
INSERT INTO "moves" VALUES(1,32,0,16,1.79561037064293289181e+09,'at:32:16');
INSERT INTO "moves" VALUES(1,33,0,15,1.7956103706630139351e+09,'at:33:15');
INSERT INTO "moves" VALUES(2,0,0,0,1.79561037213165545457e+09,'at:0:0');
INSERT INTO "moves" VALUES(2,1,1,0,1.79561037224878454207e+09,'at:1:0');
INSERT INTO "moves" VALUES(2,2,0,66,1.79561037230026531224e+09,'at:2:66');
INSERT INTO "moves" VALUES(2,3,1,66,1.79561037236411023135e+09,'at:3:66');
INSERT INTO "moves" VALUES(2,4,0,66,1.79561037255927038189e+09,'at:4:66');
INSERT INTO "moves" VALUES(2,5,1,66,1.79561037258326029776e+09,'at:5:66');
INSERT INTO "moves" VALUES(2,6,0,66,1.79561037261673927308e+09,'at:6:66');
INSERT INTO "moves" VALUES(2,7,1,66,1.79561037263078093523e+09,'at:7:66');
INSERT INTO "moves" VALUES(2,8,0,66,1.79561037266196894647e+09,'at:8:66');
INSERT INTO "moves" VALUES(2,9,1,66,1.79561037267051243782e+09,'at:9:66');
INSERT INTO "moves" VALUES(2,10,0,66,1.79561037268287849427e+09,'at:10:66');
INSERT INTO "moves" VALUES(2,11,1,66,1.79561037269055056566e+09,'at:11:66');
CREATE TABLE people (
	id INTEGER NOT NULL, 
	name VARCHAR(24) NOT NULL, 
	token_hash VARCHAR(64), 
	created FLOAT NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (id), 
	CONSTRAINT uq_people_token_hash UNIQUE (token_hash)
);
INSERT INTO "people" VALUES(1,'Ada','92bcd6f484199758ede51933bad7151027cee91d7c866c09dada30311c80dbdc',1.79561036831145882605e+09);
INSERT INTO "people" VALUES(2,'Ben','25371327b7b7bd35a2ed802c011dd7c4333ce67464ddba977e1b4bc6fd007e37',1.79561037177692341799e+09);
CREATE TABLE pulse (
	id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	CONSTRAINT pk_pulse PRIMARY KEY (id)
);
INSERT INTO "pulse" VALUES(1,1.79561036649893832201e+09);
CREATE TABLE seats (
	match_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	person INTEGER, 
	level VARCHAR(32) NOT NULL, 
	ready BOOLEAN NOT NULL, 
	key_hash VARCHAR(64), 
	standin VARCHAR(32) NOT NULL, 
	standin_name VARCHAR(40) NOT NULL, 
	left_table BOOLEAN NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (match_id, seat), 
	CONSTRAINT uq_seats_key_hash UNIQUE (key_hash), 
	CONSTRAINT fk_seats_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_seats_person_people FOREIGN KEY(person) REFERENCES people (id), 
	CONSTRAINT ck_seats_ck_seats_kind CHECK (kind IN ('person', 'bot', 'open'))
);
INSERT INTO "seats" VALUES(1,0,'person','Ada',1,'',1,NULL,'','',0);
INSERT INTO "seats" VALUES(1,1,'bot','Juniper',NULL,'low',1,NULL,'','',0);
INSERT INTO "seats" VALUES(2,0,'person','Ada',1,'',1,NULL,'','',0);
INSERT INTO "seats" VALUES(2,1,'person','Ben',2,'',1,NULL,'','',0);
INSERT INTO "seats" VALUES(3,0,'person','Ada',1,'',0,NULL,'','',0);
INSERT INTO "seats" VALUES(3,1,'open','',NULL,'',0,NULL,'','',0);
CREATE TABLE watchers (
	match_id INTEGER NOT NULL, 
	person INTEGER NOT NULL, 
	CONSTRAINT pk_watchers PRIMARY KEY (match_id, person), 
	CONSTRAINT fk_watchers_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_watchers_person_people FOREIGN KEY(person) REFERENCES people (id)
);
CREATE INDEX ix_matches_due ON matches (due);
CREATE INDEX ix_seats_person ON seats (person);
CREATE INDEX ix_chat_match_id ON chat (match_id);
CREATE INDEX ix_matches_zero ON matches (zero);
COMMIT;
